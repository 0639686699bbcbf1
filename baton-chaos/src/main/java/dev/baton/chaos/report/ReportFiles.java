package dev.baton.chaos.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes reports into the directories of their runs. */
public final class ReportFiles {
    private ReportFiles() {}

    /** Writes the report for programs and the page. */
    public static void write(Report report) throws IOException {
        Path directory = report.settings().directory();
        Files.writeString(directory.resolve("report.json"), report.toJson());
        Files.writeString(directory.resolve("report.html"), new Page(report).html());
    }
}
