------------------------------- MODULE Failover -------------------------------
(***************************************************************************)
(* HandOff with renewal. In the grace period after a failover, a renewal   *)
(* also restores a hold that the new server does not know: a reclaim.      *)
(***************************************************************************)
EXTENDS HandOff
CONSTANTS MaxRenew,  \* renewals of each client
          Reclaim    \* FALSE: a renewal restores no hold

SendRenew(c) == /\ st[c] = "hold" /\ now < dl[c] /\ sent[c].renew < MaxRenew
                /\ sent' = [sent EXCEPT ![c].renew = @ + 1]
                /\ net' = net \cup {[type |-> "ren", c |-> c, att |-> att[c], tok |-> ctok[c], ts |-> now]}
                /\ UNCHANGED <<now, srv, rep, st, att, dl, ctok, sync, log, failed>>

SrvRenew(m) ==
  /\ m.type = "ren"
  /\ LET s0 == Freed(srv)
         mine == s0.owner = m.c /\ s0.oatt = m.att /\ s0.tok = m.tok
         \* The larger token is the later grant. If the lock is free, an older hold does no harm: its client does not
         \* believe in it any more.
         back == Reclaim /\ Blocked(s0) /\ m.att > s0.fin[m.c] /\ (s0.owner = None \/ m.tok > s0.tok)
         s1 == IF mine THEN [s0 EXCEPT !.exp = now + Lease]
               ELSE IF back THEN [s0 EXCEPT !.owner = m.c, !.oatt = m.att, !.tok = m.tok, !.ctr = Max(@, m.tok),
                                            !.exp = now + Lease, !.seen[m.c] = Max(@, m.att)]
               ELSE s0
         s2 == HandOff(s1)
     IN /\ srv' = Kept(s2) /\ log' = IF mine \/ back THEN log ELSE Log(s0, s2)
        /\ net' = (net \ {m}) \cup (IF mine \/ back THEN {} ELSE Pushes(s0, s2)) \cup
             {[type |-> "rrep", to |-> m.c, att |-> m.att, ok |-> mine \/ back, ts |-> m.ts, T |-> now,
               exp |-> now + Lease]}
  /\ UNCHANGED <<now, rep, st, att, dl, ctok, sync, sent, failed>>

\* A belief that has ended does not come back.
RecvRenew(m) ==
  /\ m.type = "rrep" /\ net' = net \ {m}
  /\ LET c == m.to IN
     IF st[c] = "hold" /\ m.att = att[c]
     THEN IF m.ok THEN /\ dl' = [dl EXCEPT ![c] = IF now < @ THEN Max(@, Belief(m.ts, m.exp, m.T)) ELSE @]
                       /\ st' = st
                  ELSE /\ st' = [st EXCEPT ![c] = "lost"] /\ dl' = dl
     ELSE UNCHANGED <<st, dl>>
  /\ UNCHANGED <<now, srv, rep, att, ctok, sync, sent, log, failed>>

NextOrRenew == \/ Next
               \/ \E c \in C : SendRenew(c)
               \/ \E m \in net : SrvRenew(m) \/ RecvRenew(m)
=============================================================================
