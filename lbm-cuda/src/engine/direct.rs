//! What crosses between engines on machines of one kind, without the host.
//!
//! A list's values are packed by its own engine, into memory of the one that reads them, and unpacked there; each engine has one queue for that and for the nodes
//! that lists are of (`rim_first.rs` says what it shares with another one), in which all stands in order, whatever streams a launch may use in between. Of two engines a and b, b reading from a:
//!
//! - pack in a, unpack in b: b waits for the mark `left`, set behind the pack. A wait means where a mark is when it is asked for, so the next pack may move it.
//! - unpack in b, next pack in a: a waits for `taken`, set behind the unpack.
//! - unpack, steps, next unpack in b: one queue. So is the pack in a behind the steps before it, and before all that arrives in a: all parts pack first.
//! - step in a, unpack in b: what is read are packed values, which no step touches.
//!
//! Where a may not write to b's memory it packs into its own, and b copies that before it unpacks. Nothing waits in a circle: a pack waits
//! for an unpack of the exchange before, an unpack for a pack of this one. Marks and copies are given to the queue of the device that
//! they are of, with its context current; a wait may name another device's mark. Between processes lists pass in the same
//! queue, behind the pack and before the unpack, so that order alone suffices. A list keeps the memory that it takes from alive until its own work is done, and that which it writes to.

use std::sync::{Arc, Mutex};

use lbm_core::Error;
use lbm_core::cut::{Direct, Invitation, Outlet};

use super::DeviceEngine;
use super::rims::{Values, hold};
use crate::machine::{Machine, Memory};

/// Sets a mark behind the launches so far, the same one each time.
pub(super) fn mark<M: Machine>(machine: &M, mark: &mut Option<M::Mark>) -> Result<(), Error> {
    match mark {
        Some(mark) => machine.mark_again(mark),
        None => {
            *mark = Some(machine.mark_for_others()?);
            Ok(())
        }
    }
}

impl<M: Machine> Direct for DeviceEngine<M> {
    fn outlet(&self, number: usize) -> Outlet {
        Arc::clone(&self.list(number).values) as Outlet
    }

    fn connect(&mut self, number: usize, outlet: &Outlet) -> Result<bool, Error> {
        let Ok(from) = Arc::clone(outlet).downcast::<Mutex<Values<M>>>() else { return Ok(false) };
        let list = self.list(number);
        let own = Arc::clone(&hold(&list.values).memory);
        let mut there = hold(&from);
        if there.memory.bytes() != own.bytes() {
            return Ok(false);
        }
        if self.machine.reach(&there.memory, &own)? {
            there.memory = own;
        }
        drop(there);
        self.list_mut(number).inlet = Some(from);
        Ok(true)
    }

    fn leave(&mut self, number: usize) -> Result<(), Error> {
        let list = self.list(number);
        let mut values = hold(&list.values);
        let machine = self.crossing();
        if let Some(taken) = &values.taken {
            machine.wait_for(taken)?;
        }
        self.over("leave", list, &values)?;
        mark(machine, &mut values.left)
    }

    fn arrive(&mut self, number: usize) -> Result<(), Error> {
        let list = self.list(number);
        let Some(inlet) = &list.inlet else { return Err(not_connected(number)) };
        let machine = self.crossing();
        let (mut there, here) = (hold(inlet), hold(&list.values));
        let Some(left) = &there.left else { return Err(not_connected(number)) };
        machine.wait_for(left)?;
        if !Arc::ptr_eq(&there.memory, &here.memory) {
            // SAFETY: this list has both memories, and frees its own, which waits, before it lets go of the other; what was packed is waited for, and the next
            // pack waits for the mark below.
            unsafe { machine.bring(&there.memory, &here.memory)? };
        }
        self.over("arrive", list, &here)?;
        mark(machine, &mut there.taken)?;
        drop((there, here));
        self.note_kept(number);
        Ok(())
    }

    fn begin(&mut self) -> Result<(), Error> {
        self.whole_mut()?.begin_steps()
    }

    fn steps(&mut self, count: u64) -> Result<(), Error> {
        self.some_steps(count)
    }

    fn end(&mut self) -> Result<(), Error> {
        self.end_steps()
    }

    fn may_join(&self) -> bool {
        self.machine.may_join()
    }

    fn invitation(&self) -> Result<Invitation, Error> {
        self.machine.invitation()
    }

    fn join(&mut self, invitation: &Invitation, rank: usize, ranks: usize) -> Result<String, Error> {
        let joined = self.crossing().join(invitation, rank, ranks)?;
        let said = joined.description();
        self.joined = Some(joined);
        Ok(said)
    }

    fn pass(&mut self, leaving: &[(usize, usize)], arriving: &[(usize, usize)]) -> Result<(), Error> {
        let Some(joined) = &self.joined else {
            return Err(Error::conflict("this engine has joined no others", "have all of them join first"));
        };
        let all = |some: &[(usize, usize)]| {
            some.iter().map(|&(list, rank)| (hold(&self.list(list).values), rank)).collect::<Vec<_>>()
        };
        let (sent, come) = (all(leaving), all(arriving));
        let [out, back] = [&sent, &come]
            .map(|some| some.iter().map(|(values, rank)| (&*values.memory, *rank)).collect::<Vec<_>>());
        // SAFETY: the lists have the memory, and free it when all is done; a list is as long in both engines that know it.
        unsafe { joined.pass(&out, &back)? };
        for (&(number, _), (values, _)) in arriving.iter().zip(&come) {
            self.over("arrive", self.list(number), values)?;
        }
        drop((sent, come));
        arriving.iter().for_each(|&(number, _)| self.note_kept(number));
        Ok(())
    }
}

/// A list arrives that nobody has left.
fn not_connected(number: usize) -> Error {
    Error::conflict(
        format!("list {number} is to arrive from another engine, which has not left it"),
        "connect the lists of both, and have one leave before the other arrives",
    )
}
