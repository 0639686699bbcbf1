package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChartsTest {
    @Test
    void chart_namesThePointsThatItLacks(@TempDir Path directory) throws Exception {
        Trial few = Rows.CROWDS.get(0);
        Trial many = Rows.CROWDS.get(1);
        List<Sample> samples = List.of(Samples.ofRate(1));
        Map<Trial, Map<Contestant, List<Sample>>> trials = new LinkedHashMap<>();
        trials.put(few, Map.of(Contestants.BATON, samples, Contestants.RLOCK, samples));
        trials.put(many, Map.of(Contestants.BATON, samples));
        List<Path> charts = new Charts(new Results(List.of(), trials)).write(directory);
        assertThat(charts).isNotEmpty();
        for (Path chart : charts) {
            assertThat(chart).content().contains("not measured: RLock with 4, RFairLock with 2, RFairLock with 4");
        }
    }
}
