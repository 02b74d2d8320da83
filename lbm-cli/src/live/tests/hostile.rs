//! What hostile viewers send leaves the bits of a flow as they are.

#[allow(dead_code, reason = "tests of lbm-live use the rest")]
#[path = "../../../../lbm-live/tests/server/client.rs"]
mod client;
#[path = "../../../../lbm-live/tests/server/flood.rs"]
mod flood;

use std::thread;

use lbm_live::{Flow, Live, Stop};

use self::client::Viewer;
use self::flood::flood;
use super::flow;
use crate::simulation::Backend;

/// Stops a run when it goes, also in a panic: who runs it would wait.
struct AtEnd(Stop);

impl Drop for AtEnd {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[test]
fn ten_thousand_junk_messages_leave_the_bits_of_a_tunnel_as_they_are() {
    let bound = Live::new(flow(Backend::Cpu, "")).listen("127.0.0.1:0".parse().unwrap()).bind().unwrap();
    let (port, stop) = (bound.address().port(), bound.stop());
    let token = bound.url().split_once("token=").unwrap().1.to_owned();
    let ended = thread::scope(|scope| {
        scope.spawn(move || {
            let _end = AtEnd(stop);
            let mut witness = Viewer::open(port, &token, &[]).unwrap();
            witness.status(|status| status["steering"] == true);
            flood(port, &token);
            let before = witness.status(|status| status["viewers"] == 1)["step"].as_u64();
            witness.status(|status| status["step"].as_u64() > before);
        });
        bound.run().unwrap()
    });
    assert!(ended.steps > 0);
    let mut plain = flow(Backend::Cpu, "");
    plain.run(ended.steps).unwrap();
    let [seen, unseen] = [ended.flow.simulation(), plain.simulation()];
    assert_eq!((seen.time_step(), unseen.time_step()), (ended.steps, ended.steps));
    assert_eq!(seen.domain().fluid_nodes(), unseen.domain().fluid_nodes());
    assert!(seen.populations().unwrap() == unseen.populations().unwrap());
}
