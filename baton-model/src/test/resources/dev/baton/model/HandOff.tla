------------------------------- MODULE HandOff -------------------------------
(***************************************************************************)
(* One lock with a first-come-first-served queue at the server, and direct *)
(* hand-off: a grant to a waiter is pushed. Time is discrete. Messages may *)
(* take any time and overtake each other; a push may also get lost. A      *)
(* client may pause: no rule says that it must act. The server may fail    *)
(* over once, to a replica that lags behind.                               *)
(*                                                                         *)
(* Each constant in the second group switches one rule of the protocol     *)
(* off. docs/model.md lists the rules, the violation that TLC finds        *)
(* without each of them, and the methods that implement each action.       *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

\* Bounds: two clients, times up to MaxT, and for each client MaxPoll requests for attempts up to MaxAtt.
CONSTANTS C, MaxT, Lease, MaxPoll, MaxAtt, MaxGrants,
          FailoverOn,     \* whether the server may fail over
          FailoverTicks   \* how long the failover takes

CONSTANTS SafeDeadline,   \* FALSE: a client counts its belief from the arrival of a push
          CheckRelTok,    \* FALSE: a release frees the hold of its client, whatever attempt and token it names
          AttemptIds,     \* FALSE: a client believes pushes for other attempts than its present one
          Hlc,            \* FALSE: tokens are a plain counter, without the clock
          Tombstone,      \* FALSE: the server processes late requests of finished attempts again
          OnceRule,       \* FALSE: only a release or a cancel finishes an attempt, but not a grant
          MarksStay,      \* FALSE: the server deletes its marks together with an idle lock
          CancelAtomic,   \* FALSE: a waiter that gives up does not tell the server
          GraceOn,        \* FALSE: a server that may have forgotten holds grants new ones at once
          GraceLen,       \* how long it waits: at least the longest lease
          GraceIfNew,     \* FALSE: a replica without any record takes itself for a new server and does not wait
          CapG            \* FALSE: a client believes for longer than GraceLen after the last answered request

None == "none"

VARIABLES now,     \* the one clock
          srv,     \* the server's record of the lock
          rep,     \* the replica's record
          st,      \* per client: idle, wait, hold or lost
          att,     \* per client: the number of its attempt
          dl,      \* per client: the end of its belief
          ctok,    \* per client: the token of its hold
          sync,    \* per client: when it sent the last request that was answered, the server's time in the answer, any
          sent,    \* per client: how many requests it has sent
          net,     \* messages on their way
          log,     \* all grants, in the order in which servers made them
          failed   \* whether the failover has happened
vars == <<now, srv, rep, st, att, dl, ctok, sync, sent, net, log, failed>>

\* oatt: the owner's attempt. ctr: high water of tokens. q: waiters, as <<client, attempt>>. grace: the end of the grace
\* period. Marks: seen, the highest attempt that can not be granted any more; fin, the highest that was ended.
EmptySrv == [owner |-> None, oatt |-> 0, tok |-> 0, exp |-> 0, ctr |-> 0, q |-> <<>>, grace |-> 0,
             fin |-> [c \in C |-> 0], seen |-> [c \in C |-> 0]]
Init == /\ now = 0 /\ srv = EmptySrv /\ rep = EmptySrv /\ failed = FALSE
        /\ st = [c \in C |-> "idle"] /\ att = [c \in C |-> 1] /\ dl = [c \in C |-> 0]
        /\ ctok = [c \in C |-> 0] /\ sync = [c \in C |-> <<0, 0, FALSE>>]
        /\ sent = [c \in C |-> [poll |-> 0, renew |-> 0]] /\ net = {} /\ log = <<>>

Max(a, b) == IF a > b THEN a ELSE b
Min(a, b) == IF a < b THEN a ELSE b

\* The end of belief: what was left of the hold at the server's time T, counted from the time ts at which the client
\* sent its request.
Belief(ts, exp, T) == IF CapG THEN Min(ts + (exp - T), ts + GraceLen) ELSE ts + (exp - T)

\* ---- the server's record ----------------------------------------------------------------------------------------

NextTok(s) == IF Hlc THEN Max(s.ctr + 1, now * 16) ELSE s.ctr + 1
Grant(s, w) == LET t == NextTok(s) IN
   [s EXCEPT !.owner = w[1], !.oatt = w[2], !.tok = t, !.ctr = t, !.exp = now + Lease,
             !.seen[w[1]] = IF OnceRule THEN Max(@, w[2]) ELSE @]
Expired(s) == s.owner # None /\ now >= s.exp
Free(s) == [s EXCEPT !.owner = None, !.oatt = 0]
Freed(s) == IF Expired(s) THEN Free(s) ELSE s
InQ(s, w) == \E i \in 1..Len(s.q) : s.q[i] = w
RmQ(s, w) == [s EXCEPT !.q = SelectSeq(s.q, LAMBDA x : x # w)]
Ended(s, m) == [s EXCEPT !.seen[m.c] = Max(@, m.att), !.fin[m.c] = Max(@, m.att)]
Blocked(s) == GraceOn /\ now < s.grace
\* If the lock is free and a client waits, the head of the queue becomes the owner.
HandOff(s) == IF s.owner = None /\ s.q # <<>> /\ ~Blocked(s)
              THEN Grant([s EXCEPT !.q = Tail(s.q)], Head(s.q)) ELSE s
Kept(s) == IF MarksStay \/ s.owner # None \/ s.q # <<>> THEN s
           ELSE [s EXCEPT !.seen = EmptySrv.seen, !.fin = EmptySrv.fin]
Push(s) == [type |-> "push", to |-> s.owner, att |-> s.oatt, tok |-> s.tok, exp |-> s.exp]
Pushes(old, new) == IF new.tok # old.tok THEN {Push(new)} ELSE {}
Log(old, new) == IF new.tok # old.tok THEN Append(log, <<new.owner, new.oatt, new.tok>>) ELSE log

\* ---- steps ------------------------------------------------------------------------------------------------------

Tick == now < MaxT /\ now' = now + 1 /\ UNCHANGED <<srv, rep, st, att, dl, ctok, sync, sent, net, log, failed>>

\* A client asks for the lock, or asks again while it waits.
SendPoll(c) == /\ st[c] \in {"idle", "wait"} /\ sent[c].poll < MaxPoll /\ att[c] <= MaxAtt
               /\ st' = [st EXCEPT ![c] = "wait"] /\ sent' = [sent EXCEPT ![c].poll = @ + 1]
               /\ net' = net \cup {[type |-> "poll", c |-> c, att |-> att[c], ts |-> now]}
               /\ UNCHANGED <<now, srv, rep, att, dl, ctok, sync, log, failed>>

SrvPoll(m) ==
  /\ m.type = "poll" /\ Len(log) < MaxGrants
  /\ LET s0 == Freed(srv)
         w == <<m.c, m.att>>
         mine == s0.owner = m.c /\ s0.oatt = m.att
         stale == Tombstone /\ m.att <= s0.seen[m.c]
         s1 == IF stale \/ mine \/ InQ(s0, w) THEN s0 ELSE [s0 EXCEPT !.q = Append(s0.q, w)]
         s2 == IF mine THEN s0 ELSE HandOff(s1)
         got == s2.owner = m.c /\ s2.oatt = m.att
         r == [type |-> "rep", to |-> m.c, att |-> m.att, ts |-> m.ts, T |-> now, got |-> got,
               tok |-> IF got THEN s2.tok ELSE 0, exp |-> IF got THEN s2.exp ELSE 0]
     IN /\ srv' = Kept(s2) /\ log' = Log(s0, s2)
        /\ net' = (net \ {m}) \cup {r} \cup (IF got THEN {} ELSE Pushes(s0, s2))
  /\ UNCHANGED <<now, rep, st, att, dl, ctok, sync, sent, failed>>

RecvRep(m) ==
  /\ m.type = "rep" /\ net' = net \ {m}
  /\ LET c == m.to IN
     /\ sync' = [sync EXCEPT ![c] = <<m.ts, m.T, TRUE>>]
     /\ IF st[c] = "wait" /\ m.got /\ m.att = att[c] /\ now < Belief(m.ts, m.exp, m.T)
        THEN st' = [st EXCEPT ![c] = "hold"] /\ ctok' = [ctok EXCEPT ![c] = m.tok]
             /\ dl' = [dl EXCEPT ![c] = Belief(m.ts, m.exp, m.T)]
        ELSE UNCHANGED <<st, ctok, dl>>
  /\ UNCHANGED <<now, srv, rep, att, sent, log, failed>>

RecvPush(m) ==
  /\ m.type = "push" /\ net' = net \ {m}
  /\ LET c == m.to
         d == IF SafeDeadline THEN Belief(sync[c][1], m.exp, sync[c][2]) ELSE now + Lease
     IN IF st[c] = "wait" /\ (AttemptIds => m.att = att[c]) /\ (SafeDeadline => sync[c][3]) /\ now < d
        THEN st' = [st EXCEPT ![c] = "hold"] /\ ctok' = [ctok EXCEPT ![c] = m.tok] /\ dl' = [dl EXCEPT ![c] = d]
        ELSE UNCHANGED <<st, ctok, dl>>
  /\ UNCHANGED <<now, srv, rep, att, sync, sent, log, failed>>

\* A push gets lost.
Drop(m) == m.type = "push" /\ net' = net \ {m}
           /\ UNCHANGED <<now, srv, rep, st, att, dl, ctok, sync, sent, log, failed>>

\* A holder leaves, also if its belief has ended: it always tells the server.
Release(c) == /\ st[c] = "hold" /\ st' = [st EXCEPT ![c] = "idle"] /\ att' = [att EXCEPT ![c] = @ + 1]
              /\ net' = net \cup {[type |-> "rel", c |-> c, att |-> att[c], tok |-> ctok[c]]}
              /\ UNCHANGED <<now, srv, rep, dl, ctok, sync, sent, log, failed>>

\* A waiter gives up.
GiveUp(c) == /\ st[c] = "wait" /\ st' = [st EXCEPT ![c] = "idle"] /\ att' = [att EXCEPT ![c] = @ + 1]
             /\ net' = IF CancelAtomic THEN net \cup {[type |-> "cancel", c |-> c, att |-> att[c]]} ELSE net
             /\ UNCHANGED <<now, srv, rep, dl, ctok, sync, sent, log, failed>>

\* The end of a release or a cancel at the server.
Left(m, s0, s1) ==
  LET s2 == HandOff(Ended(s1, m)) IN
  /\ srv' = Kept(s2) /\ log' = Log(s0, s2) /\ net' = (net \ {m}) \cup Pushes(s0, s2)
  /\ UNCHANGED <<now, rep, st, att, dl, ctok, sync, sent, failed>>

SrvRel(m) ==
  /\ m.type = "rel" /\ Len(log) < MaxGrants
  /\ LET s0 == Freed(srv)
         ok == s0.owner = m.c /\ (CheckRelTok => (s0.tok = m.tok /\ s0.oatt = m.att))
     IN Left(m, s0, RmQ(IF ok THEN Free(s0) ELSE s0, <<m.c, m.att>>))

\* A cancel also frees the hold, if its attempt was granted meanwhile.
SrvCancel(m) ==
  /\ m.type = "cancel" /\ Len(log) < MaxGrants
  /\ LET s0 == Freed(srv)
         mine == s0.owner = m.c /\ s0.oatt = m.att
     IN Left(m, s0, IF mine THEN Free(s0) ELSE RmQ(s0, <<m.c, m.att>>))

Replicate == FailoverOn /\ rep # srv /\ rep' = srv
             /\ UNCHANGED <<now, srv, st, att, dl, ctok, sync, sent, net, log, failed>>

\* The replica takes over with the record that it has. It can not know what it lacks, and begins a grace period.
Failover == /\ FailoverOn /\ ~failed /\ failed' = TRUE /\ now + FailoverTicks <= MaxT /\ now' = now + FailoverTicks
            /\ srv' = [rep EXCEPT !.grace = IF GraceIfNew \/ rep # EmptySrv THEN now' + GraceLen ELSE 0]
            /\ UNCHANGED <<rep, st, att, dl, ctok, sync, sent, net, log>>

Next == \/ Tick \/ Replicate \/ Failover
        \/ \E c \in C : SendPoll(c) \/ Release(c) \/ GiveUp(c)
        \/ \E m \in net : SrvPoll(m) \/ RecvRep(m) \/ RecvPush(m) \/ Drop(m) \/ SrvRel(m) \/ SrvCancel(m)

\* ---- invariants -------------------------------------------------------------------------------------------------

Believes(c) == st[c] = "hold" /\ now < dl[c]
\* No two clients believe at once.
Mutex == \A c, d \in C : (c # d /\ Believes(c)) => ~Believes(d)
\* Every grant has a larger token than all grants before it, also across the failover.
TokenMono == \A i, j \in 1..Len(log) : i < j => log[i][3] < log[j][3]
\* No two clients have the same token at once, even if the belief of one has ended.
TokenUnique == \A c, d \in C : (c # d /\ st[c] = "hold" /\ st[d] = "hold") => ctok[c] # ctok[d]
\* While a client waits, the lock is not free.
NoIdleQueue == srv.owner = None => srv.q = <<>>
\* A client that believes has the server's present grant. (Without a failover.)
HoldIsGrant == \A c \in C : Believes(c) => (srv.owner = c /\ srv.tok = ctok[c] /\ srv.oatt = att[c])
\* If a finished attempt is still in the queue, the message that removes it is on its way.
NoGhost == \A i \in 1..Len(srv.q) : LET w == srv.q[i] IN
   (w[2] < att[w[1]]) => (\E m \in net : m.type \in {"cancel", "rel"} /\ m.c = w[1] /\ m.att = w[2])
\* No attempt is granted twice. (Without a failover, which may lose a mark.)
AttemptOnce == \A i, j \in 1..Len(log) : i # j => <<log[i][1], log[i][2]>> # <<log[j][1], log[j][2]>>
\* A client that is told that its hold is lost does not believe in it any more.
LostIsOver == \A c \in C : st[c] = "lost" => now >= dl[c]

Sym == Permutations(C)
=============================================================================
