package dev.baton.cli.console;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** Results for programs: one line of ASCII, so that no locale can garble it and no terminal interprets it. */
public final class Json {
    private static final JSON WRITER = JSON.builder(JsonFactory.builder()
                    .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
                    .build())
            .enable(JSON.Feature.WRITE_NULL_PROPERTIES)
            .build();

    private Json() {}

    /**
     * Writes an object.
     *
     * @param object its properties: texts, numbers, booleans, nulls, and lists and maps of such
     * @return one line
     */
    public static String of(Map<String, ?> object) {
        try {
            // The one ASCII control character that JSON does not require to be escaped.
            return WRITER.asString(object).replace("\u007f", "\\u007f");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write JSON", e);
        }
    }
}
