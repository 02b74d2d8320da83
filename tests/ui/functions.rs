use lbm::prelude::*;

functions! {
    pub Misspelt {
        let even = |a, i| (a[i] + a[oposite[i]]) / 2;
    }
}

functions! {
    pub Stated {
        let tau = viscosity / cs2 + 1/2;
    }
}

functions! {
    pub Sets {
        for i in directions { f[i] = equilibrium[i]; }
    }
}

functions! {
    pub Unbraced(rate = 1)
}

functions! {
    pub Parity {
        let even = |a, i| (a[i] + a[opposite[i]]) / 2;
        let odd = |a, i| (a[i] - a[opposite[i]]) / 2;
        let first = |a| a[0];
    }
}

// Of what is refused above no more is said.
collision! {
    pub Quiet {
        use Misspelt;
        for i in directions { f[i] = even(equilibrium, i); }
    }
}

collision! {
    pub Late {
        let omega = 1 / (viscosity / cs2 + 1/2);
        use Parity;
        for i in directions { f[i] = even(equilibrium, i) + odd(f, i); }
    }
}

collision! {
    pub Several {
        use {Parity, Misspelt};
        for i in directions { f[i] = even(equilibrium, i); }
    }
}

collision! {
    pub Unknown {
        use Parities;
        for i in directions { f[i] = even(equilibrium, i); }
    }
}

collision! {
    pub Short {
        use Parity;
        for i in directions { f[i] = even(equilibrium); }
    }
}

// What is wrong within a function with these arguments shows where it stands.
collision! {
    pub Within {
        use Parity;
        for i in directions { f[i] = first(rho); }
    }
}

// That of another crate shows where it is used.
collision! {
    pub Elsewhere {
        use lbm::collisions::Squares;
        for i in directions { f[i] = mean_square(rho); }
    }
}

solver! { Flow { lattice: D2Q9, collision: Quiet } }

fn main() {
    let _ = Flow::builder().size([8, 8]);
}
