package dev.baton.chaos.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads the histories of all clients of a run. For one thread. */
public final class HistoryReader {
    private static final String PREFIX = "client-";
    private static final String SUFFIX = ".history";

    private final List<Hold> holds = new ArrayList<>();
    private final List<Loss> losses = new ArrayList<>();
    private final List<Trouble> troubles = new ArrayList<>();
    private final List<Final> finals = new ArrayList<>();
    private long refused;

    private HistoryReader() {}

    /** Returns the file of a client. */
    public static Path file(Path directory, int client) {
        return directory.resolve(PREFIX + client + SUFFIX);
    }

    /** Reads all files of a directory. */
    public static History read(Path directory) throws IOException {
        HistoryReader reader = new HistoryReader();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(HistoryReader::isHistory).sorted().toList()) {
                reader.add(file);
            }
        }
        return new History(reader.holds, reader.losses, reader.troubles, reader.finals, reader.refused);
    }

    private static boolean isHistory(Path file) {
        return file.getFileName().toString().endsWith(SUFFIX);
    }

    private void add(Path file) throws IOException {
        String name = file.getFileName().toString();
        int client = Integer.parseInt(name.substring(PREFIX.length(), name.length() - SUFFIX.length()));
        Map<Long, Hold> open = new HashMap<>();
        String lines = Files.readString(file);
        // If the client still writes, the last line may be cut.
        lines.substring(0, lines.lastIndexOf('\n') + 1).lines().forEach(line -> add(client, line, open));
        holds.addAll(open.values());
    }

    private void add(int client, String line, Map<Long, Hold> open) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case Lines.BEGAN -> began(client, words, open);
            case Lines.ENDED -> ended(words, open);
            case Lines.LOST ->
                losses.add(new Loss(client, Long.parseLong(words[1]), Long.parseLong(words[2]), words[3]));
            case Lines.FAILED ->
                troubles.add(new Trouble(client, Long.parseLong(words[1]), words[2], words[3], line.split(" ", 5)[4]));
            case Lines.REFUSED -> refused++;
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
                        Hold.Work.NONE));
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
                end == Hold.End.RELEASED ? recorded : Hold.NEVER,
                recorded,
                end,
                work));
    }
}
