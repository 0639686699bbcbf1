package dev.baton.chaos.report;

/** Says what the parts of the pictures mean. */
final class Legend {
    private Legend() {}

    static void write(Markup to) {
        to.open("ul", "class", "legend");
        entry(
                to,
                "bar c0",
                "M2 3h22v10h-22z",
                "a hold, from its grant until its holder last knew that it held; one colour per client. Holds that would"
                        + " touch at this scale are drawn as one.");
        entry(to, "found", "M2 3h22v10h-22z", "a hold of a finding");
        entry(to, "fault client", "M0 0h26v16h-26z", "a fault at a client");
        entry(to, "fault wire", "M0 0h26v16h-26z", "a fault on the wire");
        entry(to, "fault server", "M0 0h26v16h-26z", "a fault at the server");
        entry(to, "loss", "M13 13l4 -9h-8z", "a holder was told that it lost a lock (of any name)");
        entry(to, "trouble", "M9 4l8 8m0 -8l-8 8", "a caller got an exception");
        entry(to, "death", "M10 0h6v16h-6z", "a client that was killed is replaced");
        to.close();
        to.element("p", "Point at a span or a mark for its words.", "class", "soft");
    }

    private static void entry(Markup to, String kind, String path, String words) {
        to.open("li").open("svg", "viewBox", "0 0 26 16", "aria-hidden", "true");
        to.empty("path", "class", kind, "d", path).close().text(words).close();
    }
}
