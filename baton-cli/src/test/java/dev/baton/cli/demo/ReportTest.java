package dev.baton.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.console.ExitCode;
import dev.baton.demo.Result;
import dev.baton.demo.Rounds;
import dev.baton.demo.Settings;
import dev.baton.demo.Shop;
import dev.baton.demo.Waits;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final Shop.Books SAFE = new Shop.Books(10, 10, 1, true);
    private static final Shop.Books OVERSOLD = new Shop.Books(12, 10, 1, true);

    @Test
    void exitCode_saysWhoBrokeItsWord() {
        Result broken = result("expiry-only", OVERSOLD, false);
        assertThat(report(broken, result("baton", SAFE, false)).exitCode()).isEqualTo(ExitCode.OK);
        assertThat(report(result("expiry-only", SAFE, false), result("baton", SAFE, false))
                        .exitCode())
                .isEqualTo(ExitCode.FAULT_NOT_SHOWN);
        assertThat(report(result("no-expiry", SAFE, false)).exitCode()).isEqualTo(ExitCode.FAULT_NOT_SHOWN);
        assertThat(report(result("no-expiry", SAFE, true)).exitCode()).isEqualTo(ExitCode.OK);
    }

    @Test
    void exitCode_ofABrokenBaton_isItsOwn() {
        for (Result failed : List.of(
                result("baton", OVERSOLD, false),
                result("baton", SAFE, true),
                result("baton", new Shop.Books(10, 10, 1, false), false),
                result("baton", new Shop.Books(9, 9, 1, true), false))) {
            assertThat(report(failed).exitCode()).as(failed.toString()).isEqualTo(ExitCode.BATON_FAILED);
        }
    }

    @Test
    void exitCode_ofABatonThatHadNothingToRefuse_saysThatNothingWasShown() {
        Result result = result("baton", new Shop.Books(10, 10, 0, true), false);
        assertThat(report(result).exitCode()).isEqualTo(ExitCode.FAULT_NOT_SHOWN);
        assertThat(result.why()).contains("nothing to refuse");
    }

    @Test
    void waits_areRankedOverAllSellers() {
        assertThat(Waits.of(List.of("1000 3000", "2000", ""))).isEqualTo(new Waits(2.0, 3.0));
        assertThat(Waits.of(List.of())).isEqualTo(new Waits(0, 0));
    }

    private static Report report(Result... results) {
        return new Report(new Settings("memory:", 1, 1, 10, Rounds.ALL), List.of(results), 1);
    }

    private static Result result(String round, Shop.Books books, boolean stuck) {
        return new Result(Rounds.named(round).orElseThrow(), 10, books, stuck, 1, new Waits(0, 0), true, 1);
    }
}
