//! Blocks whose threads wait for each other: who runs next, who may go on, and when nobody can.

use super::fibre::{Fibre, STACK_BYTES, Stacks, Table, meeting, status};
use super::launch::Shape;
use super::order::Warp;
use super::{BlockOrder, HostError};

/// Turns after which threads that only let others run are taken to wait for ever.
const MOST_TURNS: u64 = 1 << 20;

/// Runs a grid whose threads are fibres.
pub(super) struct Scheduler<'a> {
    table: &'a Table,
    entry: &'a str,
    shape: Shape,
    in_flight: u32,
    stacks: Stacks,
    /// Those of the block in place `p` begin at `p * threads`.
    fibres: Vec<Fibre>,
    places: Vec<Block>,
    /// The place whose block has its own values in the shared memory of the text.
    resident: Option<usize>,
}

/// A block in flight.
struct Block {
    index: [u32; 3],
    /// Warps in the order they run.
    warps: Vec<Warp>,
    /// It has a turn in every so many rounds: blocks of a launch need not be equally fast.
    pace: u64,
    /// Turns that it had.
    turns: u64,
    /// Threads that have not returned.
    alive: u32,
    at_barrier: u32,
    /// Of each warp: lanes that have not returned, and those that wait for others of the warp.
    lanes: Vec<Lanes>,
    /// Its shared memory while another block is resident: the static part, then the dynamic one.
    shared: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Lanes {
    alive: u32,
    waiting: u32,
}

/// What a turn of a block came to, or a round of all: the best of its parts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    /// All wait.
    Stuck,
    /// Threads ran, but only until they let others run.
    Spun,
    /// A thread ended or met another.
    Progress,
}

impl<'a> Scheduler<'a> {
    pub fn new(
        table: &'a Table,
        entry: &'a str,
        shape: Shape,
        in_flight: u32,
    ) -> Result<Scheduler<'a>, HostError> {
        let places = u64::from(in_flight).min(shape.blocks()) as usize;
        let stacks = Stacks::new(places * shape.threads() as usize)?;
        Ok(Scheduler {
            table,
            entry,
            shape,
            in_flight,
            stacks,
            fibres: vec![],
            places: vec![],
            resident: None,
        })
    }

    /// Runs all blocks, as many at once as are in flight.
    ///
    /// # Safety
    /// The caller holds the turn of the table's object, has set its state for this launch, and vouches for what the
    /// kernel does with its arguments.
    pub unsafe fn run(mut self, order: BlockOrder) -> Result<(), HostError> {
        let mut blocks = order.blocks(self.shape.blocks()).into_iter();
        for linear in blocks.by_ref().take(self.in_flight as usize) {
            // SAFETY: the caller's promise, here and below.
            unsafe { self.enter(self.places.len(), linear, order) };
        }
        let mut left = self.places.len();
        let (mut turns_spun, mut rounds) = (0, 0);
        while left > 0 {
            let mut round = Turn::Stuck;
            rounds += 1;
            for place in 0..self.places.len() {
                if self.places[place].alive == 0 {
                    continue;
                }
                if rounds % self.places[place].pace != 0 {
                    round = round.max(Turn::Spun);
                    continue;
                }
                // SAFETY: as above.
                round = round.max(unsafe { self.turn(place)? });
                if self.places[place].alive == 0 {
                    if !self.stacks.are_sound() {
                        return Err(HostError::StackOverflow {
                            entry: self.entry.to_owned(),
                            bytes: STACK_BYTES,
                        });
                    }
                    match blocks.next() {
                        // SAFETY: as above.
                        Some(linear) => unsafe { self.enter(place, linear, order) },
                        None => left -= 1,
                    }
                }
            }
            turns_spun = if round == Turn::Spun { turns_spun + 1 } else { 0 };
            if round == Turn::Stuck || turns_spun > MOST_TURNS {
                return Err(self.why_nobody_goes_on(round));
            }
        }
        Ok(())
    }

    /// Puts a block into a place: its threads at their beginning, its shared memory undefined.
    unsafe fn enter(&mut self, place: usize, linear: u64, order: BlockOrder) {
        let threads = self.shape.threads();
        for thread in 0..threads {
            let slot = place * threads as usize + thread as usize;
            let fibre = Fibre {
                context: std::ptr::null_mut(),
                stack: self.stacks.base(slot),
                stack_bytes: STACK_BYTES,
                value: 0,
                result: 0,
                thread: self.shape.thread_at(thread),
                lane: thread % 32,
                status: status::READY,
                meeting: meeting::BARRIER,
                mask: 0,
                source: 0,
                found: 0,
                line: 0,
            };
            match self.fibres.get_mut(slot) {
                Some(old) => *old = fibre,
                None => self.fibres.push(fibre),
            }
            // SAFETY: the fibre has a stack of its own, which no living fibre uses.
            unsafe { (self.table.prepare)(&mut self.fibres[slot]) };
        }
        let lanes = (0..self.shape.warps())
            .map(|warp| Lanes { alive: u32::MAX >> (32 - (threads - warp * 32).min(32)), waiting: 0 })
            .collect();
        let block = Block {
            index: self.shape.block_at(linear),
            warps: order.warps(linear, self.shape.warps()),
            pace: order.pace(linear),
            turns: 0,
            alive: threads,
            at_barrier: 0,
            lanes,
            shared: vec![0xff; self.static_bytes() + self.shape.shared_bytes],
        };
        match self.places.get_mut(place) {
            Some(old) => *old = block,
            None => self.places.push(block),
        }
        if self.resident == Some(place) {
            self.resident = None;
        }
    }

    fn static_bytes(&self) -> usize {
        // SAFETY: both ends belong to one section of the loaded object.
        unsafe { self.table.shared_end.offset_from_unsigned(self.table.shared_begin) }
    }

    /// Makes the shared memory of the text that of this block.
    unsafe fn make_resident(&mut self, place: usize) {
        if self.resident == Some(place) {
            return;
        }
        let (fixed, dynamic) = (self.static_bytes(), self.shape.shared_bytes);
        if let Some(old) = self.resident {
            let kept = &mut self.places[old].shared;
            // SAFETY: `kept` has the bytes of both parts, and no thread runs.
            unsafe {
                kept.as_mut_ptr().copy_from_nonoverlapping(self.table.shared_begin, fixed);
                kept.as_mut_ptr().add(fixed).copy_from_nonoverlapping(self.table.dynamic_begin, dynamic);
            }
        }
        let kept = &self.places[place].shared;
        // SAFETY: as above.
        unsafe {
            self.table.shared_begin.copy_from_nonoverlapping(kept.as_ptr(), fixed);
            self.table.dynamic_begin.copy_from_nonoverlapping(kept.as_ptr().add(fixed), dynamic);
            (*self.table.state).block = self.places[place].index;
        }
        self.resident = Some(place);
    }

    /// Lets each warp of a block, but for those that are slower, run until all its lanes wait or let others run.
    unsafe fn turn(&mut self, place: usize) -> Result<Turn, HostError> {
        // SAFETY: no thread runs now.
        unsafe { self.make_resident(place) };
        let first = place * self.shape.threads() as usize;
        let mut turn = Turn::Stuck;
        self.places[place].turns += 1;
        for order in 0..self.places[place].warps.len() {
            let Warp { index: warp, flip, pace } = self.places[place].warps[order];
            if !self.places[place].turns.is_multiple_of(pace) {
                let fibres = &self.fibres[first..][..self.shape.threads() as usize];
                let mut lanes = fibres.iter().skip(warp as usize * 32).take(32);
                if lanes.any(|fibre| fibre.status == status::READY) {
                    turn = turn.max(Turn::Spun);
                }
                continue;
            }
            let mut yielded = 0_u32;
            loop {
                let mut ran = false;
                for k in 0..32 {
                    let lane = k ^ flip;
                    let bit = 1_u32 << lane;
                    if self.places[place].lanes[warp as usize].alive & !yielded & bit == 0 {
                        continue;
                    }
                    let slot = first + (warp * 32 + lane) as usize;
                    let fibre = &mut self.fibres[slot];
                    if fibre.status != status::READY {
                        continue;
                    }
                    ran = true;
                    // SAFETY: the fibre was prepared and is not done; its block is resident.
                    unsafe { (self.table.resume)(fibre) };
                    if fibre.status == status::YIELDED {
                        fibre.status = status::READY;
                        yielded |= bit;
                        turn = turn.max(Turn::Spun);
                    } else {
                        turn = Turn::Progress;
                        self.settle(place, warp, slot)?;
                    }
                }
                if !ran {
                    break;
                }
            }
        }
        Ok(turn)
    }

    /// A thread has returned or waits: lets those go on who waited for that alone.
    fn settle(&mut self, place: usize, warp: u32, slot: usize) -> Result<(), HostError> {
        let fibre = &self.fibres[slot];
        let bit = 1_u32 << fibre.lane;
        let block = &mut self.places[place];
        let lanes = &mut block.lanes[warp as usize];
        match fibre.status {
            status::DONE => {
                block.alive -= 1;
                lanes.alive &= !bit;
                self.settle_block(place);
                // Somebody may have waited for this lane.
                for lane in 0..32 {
                    if self.places[place].lanes[warp as usize].waiting >> lane & 1 == 1 {
                        self.settle_warp(place, warp, lane)?;
                    }
                }
            }
            status::AT_BLOCK => {
                block.at_barrier += 1;
                self.settle_block(place);
            }
            _ if fibre.mask & bit == 0 => {
                let what = format!("lane {} is not in its own mask {:#010x}", fibre.lane, fibre.mask);
                return Err(self.bad_meeting(place, slot, what));
            }
            _ => {
                lanes.waiting |= bit;
                self.settle_warp(place, warp, slot as u32 % self.shape.threads() % 32)?;
            }
        }
        Ok(())
    }

    /// Opens the barrier if all threads of the block wait there that have not returned.
    fn settle_block(&mut self, place: usize) {
        let block = &mut self.places[place];
        if block.at_barrier < block.alive || block.alive == 0 {
            return;
        }
        block.at_barrier = 0;
        let threads = self.shape.threads() as usize;
        let fibres = &mut self.fibres[place * threads..][..threads];
        let waiting = |fibre: &&mut Fibre| fibre.status == status::AT_BLOCK;
        let counted = fibres.iter_mut().filter(waiting).map(|fibre| fibre.value).sum();
        for fibre in fibres.iter_mut().filter(waiting) {
            fibre.result = counted;
            fibre.status = status::READY;
        }
    }

    /// Lets the lanes go on that wait with `lane`, if all of them are there, and hands out what they exchanged.
    fn settle_warp(&mut self, place: usize, warp: u32, lane: u32) -> Result<(), HostError> {
        let first = place * self.shape.threads() as usize + warp as usize * 32;
        let mask = self.fibres[first + lane as usize].mask;
        let meeting = self.fibres[first + lane as usize].meeting;
        let lanes = &mut self.places[place].lanes[warp as usize];
        let group = mask & lanes.alive;
        if group & !lanes.waiting != 0 {
            return Ok(());
        }
        let members = || (0..32_usize).filter(move |lane| group >> lane & 1 == 1);
        if members().any(|lane| self.fibres[first + lane].mask != mask) {
            return Ok(()); // they wait for others; found as a deadlock if those never come
        }
        lanes.waiting &= !group;
        if let Some(other) = members().find(|&lane| self.fibres[first + lane].meeting != meeting) {
            let other = &self.fibres[first + other];
            let what = format!(
                "lane {lane} of warp {warp} meets at {}, but lane {} with the same mask {mask:#010x} at {} in line {}",
                name_of(meeting),
                other.lane,
                name_of(other.meeting),
                other.line
            );
            return Err(self.bad_meeting(place, first + lane as usize, what));
        }
        let mut values = [0; 32];
        for lane in members() {
            values[lane] = self.fibres[first + lane].value;
        }
        let ballot = members().fold(0, |ballot, lane| ballot | (values[lane] & 1) << lane);
        for lane in members() {
            let fibre = &mut self.fibres[first + lane];
            let source = fibre.source & 31;
            fibre.found = group >> source & 1;
            fibre.result = if meeting == meeting::BALLOT { ballot } else { values[source as usize] };
            fibre.status = status::READY;
        }
        Ok(())
    }

    fn bad_meeting(&self, place: usize, slot: usize, what: String) -> HostError {
        let line = self.fibres[slot].line;
        HostError::Meeting { entry: self.entry.to_owned(), block: self.places[place].index, line, what }
    }

    /// The error for a launch in which no thread can go on, or none does.
    fn why_nobody_goes_on(&self, round: Turn) -> HostError {
        let living = |&place: &usize| self.places[place].alive > 0;
        let place = (0..self.places.len()).find(living).unwrap_or(0);
        let block = self.places[place].index;
        let entry = self.entry.to_owned();
        if round == Turn::Spun {
            return HostError::Spinning { entry, block, turns: MOST_TURNS, in_flight: self.in_flight };
        }
        let threads = self.shape.threads() as usize;
        let mut groups: Vec<(String, u32, [u32; 3])> = vec![];
        for fibre in &self.fibres[place * threads..][..threads] {
            let place = match fibre.status {
                status::AT_BLOCK => format!("{} in line {}", name_of(fibre.meeting), fibre.line),
                status::AT_WARP => {
                    format!("{} in line {}, mask {:#010x}", name_of(fibre.meeting), fibre.line, fibre.mask)
                }
                _ => "their end".to_owned(),
            };
            match groups.iter_mut().find(|(known, ..)| *known == place) {
                Some((_, count, _)) => *count += 1,
                None => groups.push((place, 1, fibre.thread)),
            }
        }
        let waiting: Vec<String> = groups
            .into_iter()
            .map(|(place, count, thread)| format!("{count} threads (first {thread:?}) are at {place}"))
            .collect();
        HostError::Deadlock { entry, block, waiting: waiting.join("; ") }
    }
}

fn name_of(meeting: u32) -> &'static str {
    match meeting {
        meeting::BARRIER => "__syncthreads",
        meeting::SYNCHRONISE => "__syncwarp",
        meeting::SHUFFLE => "a shuffle",
        _ => "a ballot",
    }
}
