package dev.baton.servers;

import java.nio.file.Path;

/** A server that is one process. */
abstract class ProcessServer implements LocalServer {
    abstract ServerLife life();

    /** Returns the process ID. */
    public long pid() {
        return life().pid();
    }

    @Override
    public int port() {
        return life().port();
    }

    @Override
    public Path data() {
        return life().directory();
    }

    @Override
    public void pause() {
        life().pause();
    }

    @Override
    public void resume() {
        life().resume();
    }

    @Override
    public void kill() {
        life().kill();
    }

    @Override
    public void restart() {
        life().restart();
    }

    @Override
    public void close() {
        life().close();
    }
}
