package dev.baton.chaos.zoo;

/** Which value marks a lock as taken. */
enum Owner {
    /** One for each attempt. */
    ATTEMPT {
        @Override
        String of(int client, long attempt) {
            return client + ":" + attempt;
        }
    },
    /** One for each client. */
    CLIENT {
        @Override
        String of(int client, long attempt) {
            return Integer.toString(client);
        }
    },
    /** One for all. */
    ALL {
        @Override
        String of(int client, long attempt) {
            return "locked";
        }
    };

    abstract String of(int client, long attempt);
}
