package dev.baton.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page on the model says where the code has each action of the models, and leaves none out. */
class ModelHouseTest {
    private static final String TITLE = "implemented by";
    private static final Path SCRIPTS =
            Repository.ROOT.resolve("baton-redis").resolve("src/main/resources/dev/baton/redis");

    /** In a cell: {@code Class#method}, {@code script.lua#function}, or {@code script.lua}. */
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** The relations whose disjuncts are the actions, up to the next empty line. */
    private static final Pattern RELATION = Pattern.compile("(?ms)^(Next(?:Or\\w+)?) ==(.*?)(?:\\n\\n|^===)");

    private static final Pattern NAME = Pattern.compile("\\b[A-Z]\\w+");

    private final List<List<String>> rows =
            Markdown.rowsEndingIn(TITLE, Repository.read(Repository.ROOT.resolve("docs/model.md")));
    private final String models = models();

    private static String models() {
        StringBuilder text = new StringBuilder();
        Repository.files(".tla").forEach(file -> text.append(Repository.read(file)));
        return text.toString();
    }

    @Test
    void codeOfTheTables_exists() {
        Sources main = Sources.parse(Sources.mainFiles());
        List<String> named =
                rows.stream().flatMap(row -> codes(Markdown.last(row)).stream()).toList();
        assertThat(named).isNotEmpty();
        assertThat(named.stream().filter(code -> !exists(code, main)))
                .as(
                        "code that docs/model.md names and that does not exist (`Class#method`, `script.lua#function`, or"
                                + " `script.lua`): name the method that now does it, and check that the model still describes it")
                .isEmpty();
    }

    @Test
    void rowOfTheTables_namesCode() {
        assertThat(rows.stream().filter(row -> codes(Markdown.last(row)).isEmpty()))
                .as("rows of docs/model.md that name no code")
                .isEmpty();
    }

    @Test
    void actionOfAModel_isInTheTable() {
        Set<String> actions = actions();
        assertThat(actions).contains("Tick", "SrvRenew").hasSizeGreaterThan(10);
        assertThat(firstCells())
                .as("actions of the models that no table of docs/model.md with the column `%s` lists", TITLE)
                .containsAll(actions);
    }

    @Test
    void definitionOfTheTables_isInAModel() {
        assertThat(firstCells().stream()
                        .filter(name -> !Pattern.compile("(?m)^" + name + "(?:\\([^)]*\\))? ==")
                                .matcher(models)
                                .find()))
                .as("actions and definitions of docs/model.md that no model has")
                .isEmpty();
    }

    private List<String> firstCells() {
        return rows.stream().flatMap(row -> codes(row.get(0)).stream()).toList();
    }

    private Set<String> actions() {
        Set<String> names = new TreeSet<>();
        Set<String> relations = new TreeSet<>();
        RELATION.matcher(models).results().forEach(relation -> {
            relations.add(relation.group(1));
            NAME.matcher(relation.group(2)).results().forEach(name -> names.add(name.group()));
        });
        names.removeAll(relations);
        return names;
    }

    private static List<String> codes(String cell) {
        return CODE.matcher(cell).results().map(found -> found.group(1)).toList();
    }

    private static boolean exists(String code, Sources main) {
        String[] parts = code.split("#", 2);
        return parts[0].endsWith(".lua")
                ? isInScript(parts)
                : main.methods().stream()
                        .anyMatch(method -> parts.length == 2
                                && method.type().equals(parts[0])
                                && method.name().equals(parts[1]));
    }

    private static boolean isInScript(String[] parts) {
        Path script = SCRIPTS.resolve(parts[0]);
        return Repository.files(".lua").contains(script)
                && (parts.length == 1 || Repository.read(script).contains("function " + parts[1] + "("));
    }
}
