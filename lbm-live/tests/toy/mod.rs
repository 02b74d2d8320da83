//! A flow that is none: cells of integers whose bits depend on all events and on the steps in which they came.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::BTreeMap;

use lbm_live::{About, Event, Fault, Flow, FlowStatus, Mask, Picture, Refusal, Shape, Slider, View};

/// Steps under this forcing fail.
pub const TOO_MUCH: f64 = 0.9;

#[derive(Clone, Debug, PartialEq)]
pub struct Toy {
    size: [u32; 3],
    cells: Vec<u32>,
    solid: Vec<bool>,
    undo: Vec<Vec<bool>>,
    values: BTreeMap<String, f64>,
    steps: u64,
    /// How many pictures were asked for.
    pub pictures: u64,
    /// Pictures take so many questions.
    pub patience: u64,
    asked: u64,
    /// What is solid in the picture that is being made.
    seen: Vec<bool>,
    /// Axis and slice of each draw.
    pub drawn_on: Vec<(u8, u32)>,
    /// So many columns stay free.
    pub free: u32,
}

impl Toy {
    pub fn new(width: u32, height: u32) -> Toy {
        let nodes = (width * height) as usize;
        Toy {
            size: [width, height, 1],
            cells: (0..nodes as u32).map(|node| node.wrapping_mul(2_654_435_761)).collect(),
            solid: vec![false; nodes],
            undo: Vec::new(),
            values: BTreeMap::from([
                ("speed".to_owned(), 0.05),
                ("viscosity".to_owned(), 0.01),
                ("forcing".to_owned(), 0.0),
            ]),
            steps: 0,
            pictures: 0,
            patience: 0,
            asked: 0,
            seen: Vec::new(),
            drawn_on: Vec::new(),
            free: 0,
        }
    }

    /// With slices, of which all look the same.
    pub fn deep(width: u32, height: u32, depth: u32) -> Toy {
        Toy { size: [width, height, depth], ..Toy::new(width, height) }
    }

    /// The bits that two runs must agree in.
    pub fn bits(&self) -> (u64, &[u32], &[bool], Vec<u64>) {
        let values = self.values.values().map(|value| value.to_bits()).collect();
        (self.steps, &self.cells, &self.solid, values)
    }

    pub fn is_solid(&self, column: usize, row: usize) -> bool {
        self.solid[row * self.size[0] as usize + column]
    }

    /// Gives whether all of it was drawn.
    fn draw(&mut self, shape: &Shape, solid: bool) -> bool {
        self.undo.push(self.solid.clone());
        let mut all = true;
        let [width, height, _] = self.size;
        for (row, columns) in shape.region().rows([width, height]) {
            let start = (row * width) as usize;
            let [first, end] = [columns.start, columns.end].map(|column| column.max(self.free));
            all &= first == columns.start;
            self.solid[start + first as usize..start + end as usize].fill(solid);
        }
        all
    }

    /// A smooth field with a wake behind obstacles, 0 to 255.
    pub fn shown(&self, column: usize, row: usize) -> u8 {
        let width = self.size[0] as usize;
        let wake = (0..40.min(column + 1)).any(|back| self.solid[row * width + column - back]);
        let phase = 6.0 * column as f64 / width as f64 + self.steps as f64 * 1e-6;
        let value = 150.0 + 60.0 * phase.sin() * (row as f64 / f64::from(self.size[1]) * 3.0).cos();
        if wake { (value * 0.3) as u8 } else { value as u8 }
    }
}

impl Flow for Toy {
    fn about(&self) -> About {
        let slider = |name: &str, value, low, high, logarithmic| Slider {
            name: name.to_owned(),
            label: format!("the {name}"),
            value,
            low,
            high,
            logarithmic,
        };
        About {
            title: "Toy".to_owned(),
            case: "toy".to_owned(),
            size: self.size,
            fields: ["speed", "vorticity"].map(str::to_owned).to_vec(),
            sliders: vec![
                slider("speed", 0.05, 0.0, 0.1, false),
                slider("viscosity", 0.01, 0.001, 0.1, true),
                slider("forcing", 0.0, 0.0, 1.0, false),
            ],
            device: "this test".to_owned(),
            can_draw: Ok(()),
        }
    }

    fn apply(&mut self, event: &Event) -> Result<Option<Refusal>, Refusal> {
        match event {
            Event::Draw { shape, solid, axis, slice } => {
                self.drawn_on.push((*axis, *slice));
                if !self.draw(shape, *solid) {
                    let why = format!("columns below {} stay free: draw further right", self.free);
                    return Ok(Some(Refusal::new(why)));
                }
            }
            Event::Undo {} => match self.undo.pop() {
                Some(solid) => self.solid = solid,
                None => return Err(Refusal::new("nothing was drawn: draw first")),
            },
            Event::Set { name, value } => drop(self.values.insert(name.clone(), *value)),
            Event::Reset {} => {
                let (pictures, patience) = (self.pictures, self.patience);
                *self = Toy { pictures, patience, ..Toy::new(self.size[0], self.size[1]) };
            }
        }
        Ok(None)
    }

    fn run(&mut self, steps: u64) -> Result<(), Fault> {
        let salt = self.values.values().fold(0, |salt, value| salt ^ value.to_bits().wrapping_mul(31));
        for _ in 0..steps {
            if self.values["forcing"] > TOO_MUCH {
                return Err(Fault::new("the toy diverged"));
            }
            let mut last = self.cells[self.cells.len() - 1];
            for (cell, solid) in self.cells.iter_mut().zip(&self.solid) {
                let mixed = cell.rotate_left(5) ^ last.wrapping_add(salt as u32 ^ self.steps as u32);
                last = *cell;
                *cell = if *solid { mixed.wrapping_mul(3) } else { mixed };
            }
            self.steps += 1;
        }
        Ok(())
    }

    fn steps_done(&self) -> u64 {
        self.steps
    }

    fn status(&mut self) -> FlowStatus {
        let solid = self.solid.iter().filter(|solid| **solid).count();
        FlowStatus {
            reynolds: Some(self.values["speed"] / self.values["viscosity"]),
            drag: (solid > 0).then_some(solid as f64),
            lift: None,
            values: self.values.clone(),
            undo: self.undo.len() as u32,
        }
    }

    fn picture(&mut self, view: &View) -> Result<Option<Picture>, Fault> {
        if self.asked == 0 {
            self.seen.clone_from(&self.solid);
        }
        if self.asked < self.patience {
            self.asked += 1;
            return Ok(None);
        }
        (self.asked, self.pictures) = (0, self.pictures + 1);
        let (width, height) = (usize::from(view.width), usize::from(view.height));
        let [x0, y0, x1, y1] = view.region;
        let node = |column: usize, row: usize| {
            let x = x0 + (column as f64 + 0.5) / width as f64 * (x1 - x0);
            let y = y1 - (row as f64 + 0.5) / height as f64 * (y1 - y0);
            ((x as usize).min(self.size[0] as usize - 1), (y as usize).min(self.size[1] as usize - 1))
        };
        let pixels = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
        let values = pixels.map(|(column, row)| {
            let (x, y) = node(column, row);
            self.shown(x, y)
        });
        let solid = |column: usize, row: usize| {
            let (x, y) = node(column, row);
            self.seen[y * self.size[0] as usize + x]
        };
        Ok(Some(Picture {
            step: self.steps,
            low: 0.0,
            high: 0.1,
            values: values.collect(),
            mask: Some(Mask::new(view.width, view.height, solid)),
            particles: view.particles.then(|| vec![[0, 0], [65535, 32768]]),
            // One that goes across, and one that has left.
            streaks: view.streaks.then(|| vec![vec![[100, 30000], [30000, 32000], [60000, 31000]], vec![]]),
            view: view.clone(),
        }))
    }

    fn save(&mut self) -> Result<Vec<u8>, Refusal> {
        let mut bytes = self.steps.to_le_bytes().to_vec();
        self.values.values().for_each(|value| bytes.extend(value.to_le_bytes()));
        self.cells.iter().for_each(|cell| bytes.extend(cell.to_le_bytes()));
        bytes.extend(self.solid.iter().map(|solid| u8::from(*solid)));
        Ok(bytes)
    }

    fn load(&mut self, checkpoint: &[u8]) -> Result<(), Refusal> {
        let nodes = self.cells.len();
        let wanted = 8 + 3 * 8 + 5 * nodes;
        if checkpoint.len() != wanted {
            return Err(Refusal::new(format!("{} bytes are no checkpoint: give {wanted}", checkpoint.len())));
        }
        let (head, rest) = checkpoint.split_at(32);
        let (cells, solid) = rest.split_at(4 * nodes);
        let eight = |at: usize| <[u8; 8]>::try_from(&head[8 * at..8 * at + 8]).unwrap();
        self.steps = u64::from_le_bytes(eight(0));
        for (at, value) in (1..).zip(self.values.values_mut()) {
            *value = f64::from_le_bytes(eight(at));
        }
        self.cells = cells.chunks(4).map(|cell| u32::from_le_bytes(cell.try_into().unwrap())).collect();
        self.solid = solid.iter().map(|solid| *solid != 0).collect();
        self.undo.clear();
        Ok(())
    }
}
