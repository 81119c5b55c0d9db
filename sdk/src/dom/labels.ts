import type { Environment, Tree } from './environment';

const NONE: readonly Element[] = [];

/** The labels of the controls of one tree, found once, when first asked for. */
export class Labels {
  private byControl: Map<Element, Element[]> | null = null;

  constructor(
    private readonly env: Environment,
    private readonly tree: Tree,
  ) {}

  /** The labels of `control`, in document order. */
  readonly of = (control: Element): readonly Element[] => {
    this.byControl ??= this.read();
    return this.byControl.get(control) ?? NONE;
  };

  private read(): Map<Element, Element[]> {
    const found = new Map<Element, Element[]>();
    for (const label of this.env.select(this.tree, 'label')) {
      const control = this.env.controlOf(label);
      const known = control === null ? undefined : found.get(control);
      if (known !== undefined) {
        known.push(label);
      } else if (control !== null) {
        found.set(control, [label]);
      }
    }
    return found;
  }
}
