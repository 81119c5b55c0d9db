import type { NodeContext } from '../api/wire';
import type { Environment } from './environment';
import type { Names } from './names';

/** A heading counts for what follows it in the same one of these, and no further. */
const SECTIONS = new Set([
  'article',
  'aside',
  'dialog',
  'fieldset',
  'footer',
  'form',
  'header',
  'main',
  'nav',
  'section',
]);
const GROUP_ROLES = new Set(['group', 'radiogroup', 'toolbar', 'menu', 'tablist', 'tabpanel', 'dialog']);

interface Surroundings {
  heading: string;
  form: string;
  group: string;
}

interface Frame extends Surroundings {
  element: Element;
}

/** Follows a walk in document order and says, for each element, where it stands among headings, forms, groups and rows. */
export class Contexts {
  private readonly frames: Frame[] = [];
  private readonly rows = new Map<Element, string>();
  private readonly currentRows: Element[] = [];
  private current: Surroundings = { heading: '', form: '', group: '' };

  constructor(
    private readonly env: Environment,
    private readonly names: Names,
    private readonly clean: (text: string) => string,
  ) {}

  /** `isPrivate`: its words are for nobody, so that it gives what follows no heading, form or group. */
  enter(element: Element, isPrivate: boolean): void {
    const tag = this.env.tag(element);
    const nameOf = () => (isPrivate ? '' : this.clean(this.names.of(element)));
    const role = this.env.attribute(element, 'role')?.trim().toLowerCase() ?? '';
    if (/^h[1-6]$/.test(tag) || role === 'heading') {
      this.current.heading = nameOf() || this.current.heading;
    }
    if (SECTIONS.has(tag) || GROUP_ROLES.has(role)) {
      this.frames.push({ element, ...this.current });
      if (tag === 'form') {
        this.current.form = nameOf();
      } else if (tag === 'fieldset' || GROUP_ROLES.has(role)) {
        this.current.group = nameOf() || this.current.group;
      }
    }
    if (!isPrivate && (tag === 'tr' || role === 'row')) {
      this.currentRows.push(element);
    }
  }

  leave(element: Element): void {
    const frame = this.frames[this.frames.length - 1];
    if (frame?.element === element) {
      this.frames.pop();
      this.current = { heading: frame.heading, form: frame.form, group: frame.group };
    }
    if (this.currentRows[this.currentRows.length - 1] === element) {
      this.currentRows.pop();
    }
  }

  /** The context of an element just entered. A heading, a form or a group is not its own context. */
  of(element: Element): NodeContext {
    const tag = this.env.tag(element);
    const own = this.frames[this.frames.length - 1];
    const outer: Surroundings = own?.element === element ? own : this.current;
    const row = this.currentRows[this.currentRows.length - 1];
    const isHeading = /^h[1-6]$/.test(tag);
    return {
      ...(outer.heading === '' || isHeading ? {} : { heading: outer.heading }),
      ...(outer.form === '' ? {} : { form: outer.form }),
      ...(outer.group === '' ? {} : { group: outer.group }),
      ...(row === undefined ? {} : this.rowContext(row)),
    };
  }

  /** A row is called by its header cell, else by its first cell that says something. */
  private rowContext(row: Element): NodeContext {
    const known = this.rows.get(row) ?? this.rowName(row);
    this.rows.set(row, known);
    return known === '' ? {} : { row: known };
  }

  private rowName(row: Element): string {
    const { env } = this;
    let first = '';
    for (let cell = env.firstElement(row); cell !== null; cell = env.nextElement(cell)) {
      const isHeader = env.tag(cell) === 'th' || env.attribute(cell, 'role') === 'rowheader';
      if (!isHeader && first !== '') {
        continue;
      }
      const text = this.clean(this.names.contentOf(cell));
      if (isHeader && text !== '') {
        return text;
      }
      first ||= text;
    }
    return first;
  }
}
