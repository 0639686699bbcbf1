package dev.baton.house;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** A published pom, with what it inherits. */
final class StagedPom {
    /** What each pom says itself. */
    private static final List<String> OWN = List.of("artifactId", "name", "description");

    /** What it may have from its parent. */
    private static final List<String> INHERITED = List.of(
            "groupId",
            "version",
            "url",
            "licenses/license/name",
            "licenses/license/url",
            "developers/developer/name",
            "scm/connection",
            "scm/developerConnection",
            "scm/url",
            "issueManagement/url");

    private static final XPath XPATH = XPathFactory.newInstance().newXPath();

    private final Document own;
    private final Optional<Document> parent;

    private StagedPom(Document own, Optional<Document> parent) {
        this.own = own;
        this.parent = parent;
    }

    static StagedPom of(Path file, Path parent) {
        Document own = parse(file);
        boolean inherits = select(own, "parent").getLength() > 0;
        return new StagedPom(own, inherits ? Optional.of(parse(parent)) : Optional.empty());
    }

    private static Document parse(Path file) {
        try {
            return DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile());
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new IllegalStateException("cannot read " + file, e);
        }
    }

    /** The text of an element of the pom itself; empty if there is none. */
    String text(String path) {
        return text(own, path);
    }

    /** What Maven Central demands and this pom does not say. */
    List<String> missing() {
        Stream<String> own = OWN.stream().filter(path -> text(path).isEmpty());
        Stream<String> inherited = INHERITED.stream()
                .filter(path -> text(path).isEmpty())
                .filter(path -> parent.map(it -> text(it, path).isEmpty()).orElse(true));
        return Stream.concat(own, inherited).toList();
    }

    /** Dependencies, managed ones too, on snapshots that are not ours. */
    List<String> foreignSnapshots() {
        return texts(own, "//dependency[not(groupId='dev.baton')][contains(version,'SNAPSHOT')]/artifactId");
    }

    private static String text(Document pom, String path) {
        return String.join("", texts(pom, path)).strip();
    }

    private static List<String> texts(Document pom, String path) {
        NodeList found = select(pom, path);
        return IntStream.range(0, found.getLength())
                .mapToObj(found::item)
                .map(Node::getTextContent)
                .toList();
    }

    private static NodeList select(Document pom, String path) {
        try {
            String absolute = path.startsWith("/") ? path : "/project/" + path;
            return (NodeList) XPATH.evaluate(absolute, pom, XPathConstants.NODESET);
        } catch (XPathExpressionException e) {
            throw new IllegalArgumentException(path, e);
        }
    }
}
