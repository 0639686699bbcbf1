package dev.baton.demo;

import java.util.concurrent.ExecutionException;

/** The main class of the demo's child processes. */
final class ChildMain {
    private ChildMain() {}

    /**
     * Plays a role.
     *
     * @param args see {@link Assignment}
     */
    public static void main(String[] args) {
        Parent parent = new Parent();
        Thread ear = new Thread(() -> listen(parent), "ear");
        ear.setDaemon(true);
        ear.start();
        System.exit(play(Assignment.of(args), parent));
    }

    private static void listen(Parent parent) {
        parent.listen();
        // The parent is gone, for any reason. This process has nothing to save.
        Runtime.getRuntime().halt(0);
    }

    private static int play(Assignment assignment, Parent parent) {
        try {
            switch (assignment.role()) {
                case SELLER -> new Seller(assignment, parent).run();
                case VILLAIN -> new Villain(assignment, parent).run();
            }
            return 0;
        } catch (InterruptedException e) {
            return 1;
        } catch (ExecutionException e) {
            return fail(e.getCause() == null ? e : e.getCause(), parent);
        } catch (RuntimeException e) {
            return fail(e, parent);
        }
    }

    private static int fail(Throwable error, Parent parent) {
        parent.sayFailed(error);
        return 1;
    }
}
