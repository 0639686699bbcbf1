package dev.baton.redis;

import java.util.function.Consumer;

/** Carries the parts of several commands in one; a test decides how the parts are framed. */
final class JointCommand implements Call.Joint {
    /** Writes the command around its parts. */
    @FunctionalInterface
    interface Frame {
        void write(RespWriter out, RespWriter parts, int count);
    }

    private final RespWriter parts = new RespWriter();
    private final int most;
    private final Frame frame;

    /**
     * Creates a command without parts.
     *
     * @param most how many parts it carries
     */
    JointCommand(int most, Frame frame) {
        this.most = most;
        this.frame = frame;
    }

    /** Frames up to three parts as <code>[parts]</code>. */
    static JointCommand inBrackets() {
        return new JointCommand(
                3, (out, parts, count) -> out.raw(new byte[] {'['}).part(parts).raw(new byte[] {']'}));
    }

    /** Creates a command that travels in this one. */
    Call.Encoder part(Consumer<RespWriter> content) {
        return new Call.Encoder() {
            @Override
            public void encode(RespWriter out, Wire any) {
                content.accept(out);
            }

            @Override
            public Call.Joint joint() {
                return JointCommand.this;
            }
        };
    }

    @Override
    public RespWriter begin() {
        parts.truncate(0);
        return parts;
    }

    @Override
    public int size() {
        return parts.size();
    }

    @Override
    public int most() {
        return most;
    }

    @Override
    public void end(RespWriter out, Wire any, int count) {
        frame.write(out, parts, count);
    }
}
