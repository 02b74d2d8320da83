//! One error for each collision; nothing is said of the solvers that use them.
use lbm::core::Collision;
use lbm::prelude::*;

collision! {
    pub Misspelt {
        for i in directions {
            f[i] = equilibrum[i];
        }
    }
}

collision! {
    pub Unreadable(rate = fast) {
        for i in directions {
            f[i] = f[i] + rate * (equilibrium[i] - f[i]);
        }
    }
}

solver! {
    pub First { lattice: D2Q9, collision: Misspelt { rate: 1 }, forcing: Guo }
}

solver! {
    pub Second { lattice: D3Q19, collision: Unreadable { rate: 1 } }
}

fn main() {
    println!("{} {} {} {}", Misspelt::NAME, Unreadable::NAME, First::name(), Second::name());
    let _ = First::builder().size([8, 8]);
    let _ = Second::builder().size([8, 8, 8]).parameter("rate", 1.0);
}
