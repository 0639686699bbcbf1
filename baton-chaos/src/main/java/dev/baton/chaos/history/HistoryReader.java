package dev.baton.chaos.history;

import dev.baton.tck.history.Portion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reads the histories of all clients of a run, while they write or afterwards. A part that has been read is not read
 * again. For one thread.
 */
public final class HistoryReader {
    private static final String PREFIX = "client-";
    private static final String SUFFIX = ".history";

    private final Path directory;
    private final Map<Path, Part> parts = new TreeMap<>();
    private final List<Hold> holds = new ArrayList<>();
    private final List<Loss> losses = new ArrayList<>();
    private final List<Trouble> troubles = new ArrayList<>();
    private final List<Final> finals = new ArrayList<>();
    private final List<Noted> notes = new ArrayList<>();
    private long refused;

    /** A file, as far as it has been read. */
    private static final class Part {
        private final int client;
        private final Map<Long, Hold> open = new HashMap<>();
        private final Map<String, Long> told = new HashMap<>();
        private final Map<Long, Run> runs = new HashMap<>();
        private long end;

        Part(int client) {
            this.client = client;
        }
    }

    /** Creates a reader that has read nothing. */
    public HistoryReader(Path directory) {
        this.directory = directory;
    }

    /** Returns the file of a client. */
    public static Path file(Path directory, int client) {
        return directory.resolve(PREFIX + client + SUFFIX);
    }

    /** Reads all files of a directory. */
    public static History read(Path directory) throws IOException {
        return new HistoryReader(directory).read();
    }

    /** Reads the new part, and returns everything. */
    public History read() throws IOException {
        long began = HostTime.nanos();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(HistoryReader::isHistory).sorted().toList()) {
                add(file, parts.computeIfAbsent(file, created -> new Part(clientOf(file))));
            }
        }
        List<Hold> all = new ArrayList<>(holds);
        List<Said> said = new ArrayList<>();
        for (Part part : parts.values()) {
            all.addAll(part.open.values());
            part.told.forEach((text, count) -> said.add(new Said(part.client, text, count)));
        }
        return new History(
                all,
                List.copyOf(losses),
                List.copyOf(troubles),
                List.copyOf(finals),
                refused,
                List.copyOf(said),
                List.copyOf(notes),
                runs(began));
    }

    private static boolean isHistory(Path file) {
        return file.getFileName().toString().endsWith(SUFFIX);
    }

    private static int clientOf(Path file) {
        String name = file.getFileName().toString();
        return Integer.parseInt(name.substring(PREFIX.length(), name.length() - SUFFIX.length()));
    }

    private void add(Path file, Part part) throws IOException {
        byte[] news;
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(part.end);
            news = in.readAllBytes();
        }
        // If the client still writes, the last line may be cut.
        int length = news.length;
        while (length > 0 && news[length - 1] != '\n') {
            length--;
        }
        part.end += length;
        new String(news, 0, length, StandardCharsets.UTF_8).lines().forEach(line -> add(line, part));
    }

    private void add(String line, Part part) {
        int client = part.client;
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case Lines.BEGAN -> began(client, words, part.open);
            case Lines.ENDED -> ended(words, part.open);
            case Lines.NOTED ->
                notes.add(new Noted(
                        client,
                        Long.parseLong(words[1]),
                        new Noted.Read(words[2].equals("1"), words[4]),
                        Noted.Write.valueOf(words[3])));
            case Lines.RUN ->
                part.runs.put(
                        Long.parseLong(words[1]),
                        new Run(
                                client,
                                words[2],
                                Long.parseLong(words[3]),
                                Integer.parseInt(words[4]),
                                Long.parseLong(words[5]),
                                Long.parseLong(words[6]),
                                words[7].equals("1"),
                                Hold.NEVER,
                                Hold.NEVER));
            case Lines.WORKED ->
                part.runs.computeIfPresent(
                        Long.parseLong(words[1]), (number, run) -> run.workedAt(Long.parseLong(words[2])));
            case Lines.RAN ->
                part.runs.computeIfPresent(
                        Long.parseLong(words[1]), (number, run) -> run.recordedAt(Long.parseLong(words[2])));
            case Lines.LOST ->
                losses.add(new Loss(client, Long.parseLong(words[1]), Long.parseLong(words[2]), words[3]));
            case Lines.FAILED ->
                troubles.add(new Trouble(
                        client,
                        Long.parseLong(words[1]),
                        Duration.ofNanos(Long.parseLong(words[2])),
                        words[3],
                        words[4],
                        line.split(" ", 6)[5]));
            case Lines.REFUSED -> refused++;
            // Each line has the count so far.
            case Lines.SAID -> part.told.put(line.split(" ", 3)[2], Long.parseLong(words[1]));
            case Lines.LAST ->
                finals.add(new Final(
                        client,
                        Integer.parseInt(words[1]),
                        words[2],
                        Duration.ofNanos(Long.parseLong(words[3])),
                        words[4].equals("1")));
            default -> throw new IllegalArgumentException("not a line of a history: " + line);
        }
    }

    /**
     * Returns the runs that began before a reading. The ends of the runs before them were written by then; those before a
     * later run may be in a file that had been read already.
     */
    private List<Run> runs(long readNanos) {
        return parts.values().stream()
                .flatMap(part -> part.runs.values().stream())
                .filter(run -> run.beganNanos() <= readNanos)
                .toList();
    }

    private static void began(int client, String[] words, Map<Long, Hold> open) {
        long number = Long.parseLong(words[1]);
        long asked = Long.parseLong(words[5]);
        open.put(
                number,
                new Hold(
                        client,
                        number,
                        words[2],
                        Long.parseLong(words[3]),
                        words[4],
                        asked,
                        Long.parseLong(words[6]),
                        asked,
                        Hold.NEVER,
                        Hold.NEVER,
                        Hold.End.DIED,
                        Hold.Work.NONE,
                        new Portion(
                                Portion.Side.valueOf(words[7]),
                                Integer.parseInt(words[8]),
                                Integer.parseInt(words[9]))));
    }

    private void ended(String[] words, Map<Long, Hold> open) {
        Hold began = open.remove(Long.parseLong(words[1]));
        if (began == null) {
            throw new IllegalArgumentException("the end of a hold that never began: " + String.join(" ", words));
        }
        long recorded = Long.parseLong(words[3]);
        Hold.End end = Hold.End.valueOf(words[4]);
        Hold.Work work = new Hold.Work(
                Hold.Fence.valueOf(words[5]), Long.parseLong(words[6]), Long.parseLong(words[7]), words[8].equals("1"));
        holds.add(new Hold(
                began.client(),
                began.number(),
                began.name(),
                began.token(),
                began.way(),
                began.askedNanos(),
                began.firstNanos(),
                Math.max(began.askedNanos(), Long.parseLong(words[2])),
                end == Hold.End.RELEASED || end == Hold.End.DOWNGRADED ? recorded : Hold.NEVER,
                recorded,
                end,
                work,
                began.portion()));
    }
}
