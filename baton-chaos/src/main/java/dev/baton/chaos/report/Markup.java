package dev.baton.chaos.report;

import java.io.StringWriter;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes HTML and the SVG inside it. The writer of the JDK escapes every text and attribute. For one thread. */
final class Markup {
    private interface Step {
        void take() throws XMLStreamException;
    }

    private final StringWriter text = new StringWriter();
    private final XMLStreamWriter writer;

    Markup() {
        try {
            writer = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
        } catch (XMLStreamException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Begins a document of HTML. */
    Markup doctype() {
        return step(() -> writer.writeDTD("<!DOCTYPE html>"));
    }

    /** Opens an element. Attributes are names and values by turns. */
    Markup open(String element, String... attributes) {
        step(() -> writer.writeStartElement(element));
        return attributes(attributes);
    }

    Markup close() {
        return step(writer::writeEndElement);
    }

    /** Writes text into the open element. Lines keep a page readable as a file. */
    Markup text(String words) {
        return step(() -> writer.writeCharacters(words));
    }

    /** Writes an element with a text. */
    Markup element(String element, String words, String... attributes) {
        return open(element, attributes).text(words).close();
    }

    /** Writes an element that can have no content. */
    Markup empty(String element, String... attributes) {
        step(() -> writer.writeEmptyElement(element));
        return attributes(attributes);
    }

    private Markup attributes(String... attributes) {
        for (int i = 0; i < attributes.length; i += 2) {
            String name = attributes[i];
            String value = attributes[i + 1];
            step(() -> writer.writeAttribute(name, value));
        }
        return this;
    }

    private Markup step(Step step) {
        try {
            step.take();
            return this;
        } catch (XMLStreamException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns what was written. */
    String done() {
        step(writer::flush);
        return text.toString();
    }
}
