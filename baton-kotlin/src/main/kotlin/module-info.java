/** Locks for Kotlin's coroutines. */
module dev.baton.kotlin {
    requires transitive dev.baton;
    requires transitive kotlin.stdlib;
    requires kotlinx.coroutines.core;

    exports dev.baton.kotlin;
}
