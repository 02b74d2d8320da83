use lbm::prelude::*;

boundary! {
    pub Runs on_link {
        f[back] = sent_at(q * c[back], toward);
    }
}

boundary! {
    pub Across on_link {
        f[back] = select(is_fluid_across(c[back]), f[toward], sent[toward]);
    }
}

boundary! {
    pub Itself on_node {
        for i in missing {
            f[i] = arrives_at(normal - normal, i);
        }
    }
}

boundary! {
    pub Short on_node {
        for i in missing {
            f[i] = sent_at([1], i);
        }
    }
}

boundary! {
    pub Beyond on_link {
        f[back] = sent_at(c[back], 99);
    }
}

collision! {
    pub Looks {
        for i in directions {
            f[i] = sent_at(c[i], i);
        }
    }
}

fn main() {}
