import type { NodeContext } from '../api/wire';
import type { Environment } from './environment';
import { isInPrivatePart } from './private_words';
import { isKeptPrivate, type Names } from './names';
import { isOwnTag } from './own_ui';
import { isEditable } from './roles';

/** A heading counts for what follows it in the same one of these, and no further. */
const SECTIONS = new Set(['article', 'aside', 'dialog', 'fieldset', 'footer', 'form', 'main', 'nav', 'section']);
const GROUP_ROLES = new Set(['group', 'radiogroup', 'toolbar', 'menu', 'tablist', 'tabpanel', 'dialog', 'alertdialog']);
const LANDMARKS: Record<string, string> = { nav: 'navigation', main: 'main', aside: 'complementary', search: 'search' };
const LANDMARK_ROLES = new Set(['banner', 'navigation', 'main', 'complementary', 'contentinfo', 'search', 'region']);
const PRESSED_TAGS = new Set(['a', 'button', 'summary', 'label', 'select']);

/** Parts of a page that hold nothing to act on. */
const EMPTY_TAGS = new Set(['object', 'embed', 'datalist', 'noscript', 'template', 'script', 'style', 'head']);

/** Where the headings of a section are noted as the page is read, in document order. */
interface Section {
  heading: string;
  readonly outer: Section | null;
}

/** What an element hands down to all that is in it. Shared by all elements that add nothing. */
export interface Surroundings {
  /** Nothing in it is for us: ignored by its author, inert or our own. */
  readonly isSkipped: boolean;
  /** Its user writes in it: what is there is what was typed. */
  readonly isEdited: boolean;
  /** The author keeps its words on the page. */
  readonly isPrivate: boolean;
  readonly isAriaHidden: boolean;
  /** In a fieldset that is disabled as a whole. */
  readonly isDisabled: boolean;
  /** Inside something that is itself pressed. */
  readonly isPressed: boolean;
  readonly section: Section;
  readonly form: string;
  readonly group: string;
  readonly landmark: string;
  readonly row: Element | null;
  readonly cell: Element | null;
}

export const NO_SURROUNDINGS = (): Surroundings => ({
  isSkipped: false,
  isEdited: false,
  isPrivate: false,
  isAriaHidden: false,
  isDisabled: false,
  isPressed: false,
  section: { heading: '', outer: null },
  form: '',
  group: '',
  landmark: '',
  row: null,
  cell: null,
});

/** Says where the elements of one tree stand; each ancestor is looked at once. */
export class Places {
  private readonly inside = new Map<Element, Surroundings>();
  private readonly rows = new Map<Element, string>();
  private readonly columns = new Map<Element, readonly string[]>();

  /** `outermost` is what surrounds the whole tree. */
  constructor(
    private readonly env: Environment,
    private readonly names: Names,
    private readonly outermost: Surroundings,
  ) {}

  /** What surrounds `element`, without what it adds itself. */
  around(element: Element): Surroundings {
    const parent = this.env.parent(element);
    return parent === null ? this.outermost : this.within(parent);
  }

  /** What surrounds the children of `element`. Climbs without recursion: pages nest deeper than call stacks. */
  within(element: Element): Surroundings {
    const path: Element[] = [];
    let known: Surroundings | undefined;
    for (let current: Element | null = element; current !== null; current = this.env.parent(current)) {
      known = this.inside.get(current);
      if (known !== undefined) {
        break;
      }
      path.push(current);
    }
    let result = known ?? this.outermost;
    for (const step of path.reverse()) {
      result = this.addedBy(step, result);
      this.inside.set(step, result);
    }
    return result;
  }

  /** Tells those who follow in the same section under which heading they are. */
  noteHeading(heading: Element, name: string): void {
    if (name !== '') {
      this.around(heading).section.heading = name;
    }
  }

  /** The context of `element` in the page's own words, which are yet to be masked. A heading is not its own. */
  contextOf(element: Element, isHeading: boolean): NodeContext {
    const around = this.around(element);
    const context: NodeContext = {};
    if (!isHeading) {
      set(context, 'heading', headingOf(around.section));
    }
    set(context, 'form', around.form);
    set(context, 'group', around.group);
    if (around.row !== null) {
      set(context, 'row', this.rowName(around.row));
      set(context, 'column', around.cell === null ? '' : this.columnName(around.cell, around.row));
    }
    set(context, 'landmark', around.landmark);
    return context;
  }

  private addedBy(element: Element, outer: Surroundings): Surroundings {
    const { env } = this;
    const tag = env.tag(element);
    const names = env.attributeNames(element);
    if (names.length === 0 && !isTelling(tag)) {
      return outer;
    }
    const role = names.includes('role') ? (env.attribute(element, 'role') ?? '').trim().toLowerCase() : '';
    const isPrivate = outer.isPrivate || (names.includes('data-circuy-mask') && isKeptPrivate(env, element));
    const isSkipped =
      outer.isSkipped ||
      EMPTY_TAGS.has(tag) ||
      isOwnTag(tag) ||
      names.includes('inert') ||
      names.includes('data-circuy-ignore');
    // The toolbar of an editor may stand inside it, where nobody writes.
    const isEdited = names.includes('contenteditable') ? isEditable(env, element) : outer.isEdited;
    const isAriaHidden =
      outer.isAriaHidden || (names.includes('aria-hidden') && env.attribute(element, 'aria-hidden') === 'true');
    // What is in the legend of a disabled fieldset can be used.
    const isDisabled =
      tag === 'legend' ? false : outer.isDisabled || (tag === 'fieldset' && names.includes('disabled'));
    const isGroup = tag === 'fieldset' || tag === 'dialog' || GROUP_ROLES.has(role);
    const landmark = LANDMARK_ROLES.has(role) ? role : role === '' ? landmarkOf(tag, outer) : undefined;
    const isPressed = outer.isPressed || PRESSED_TAGS.has(tag) || role === 'button' || role === 'link';
    const isRow = !isPrivate && (tag === 'tr' || role === 'row');
    const isCell = tag === 'td' || role === 'gridcell' || role === 'cell';
    const isSection = SECTIONS.has(tag) || GROUP_ROLES.has(role);
    const changesNothing =
      isPrivate === outer.isPrivate &&
      isSkipped === outer.isSkipped &&
      isEdited === outer.isEdited &&
      isAriaHidden === outer.isAriaHidden &&
      isPressed === outer.isPressed &&
      isDisabled === outer.isDisabled &&
      !(isGroup || landmark !== undefined || isRow || isCell || isSection);
    if (changesNothing) {
      return outer;
    }
    const nameOf = () => (isPrivate || isSkipped || isEdited ? '' : this.names.of(element));
    return {
      isSkipped,
      isEdited,
      isPrivate,
      isAriaHidden,
      isDisabled,
      isPressed,
      section: isSection ? { heading: '', outer: outer.section } : outer.section,
      form: tag === 'form' ? nameOf() : outer.form,
      group: isGroup ? nameOf() || outer.group : outer.group,
      landmark: landmark === undefined ? outer.landmark : nameOf() || landmark,
      row: isRow ? element : outer.row,
      cell: isRow ? null : isCell ? element : outer.cell,
    };
  }

  /** A row is called by its header cell, else by its first cell that says something. */
  private rowName(row: Element): string {
    let name = this.rows.get(row);
    if (name === undefined) {
      name = this.readRowName(row);
      this.rows.set(row, name);
    }
    return name;
  }

  private readRowName(row: Element): string {
    const { env } = this;
    for (let cell = env.firstElement(row); cell !== null; cell = env.nextElement(cell)) {
      const isHeader = env.tag(cell) === 'th' || env.attribute(cell, 'role') === 'rowheader';
      const text = isHeader ? this.names.contentOf(cell) : '';
      if (text !== '') {
        return text;
      }
    }
    for (let cell = env.firstElement(row); cell !== null; cell = env.nextElement(cell)) {
      const text = this.names.contentOf(cell);
      if (text !== '') {
        return text;
      }
    }
    return '';
  }

  /** What heads the column of `cell`: the cell at its place in the table's first row, when that is one of headers. */
  private columnName(cell: Element, row: Element): string {
    const table = this.tableOf(row);
    if (table === null) {
      return '';
    }
    let heads = this.columns.get(table);
    if (heads === undefined) {
      heads = this.readHeads(table);
      this.columns.set(table, heads);
    }
    if (heads.length === 0) {
      return '';
    }
    let place = 0;
    for (let before = this.env.previousElement(cell); before !== null; before = this.env.previousElement(before)) {
      place += spanOf(this.env, before);
    }
    return heads[place] ?? '';
  }

  private tableOf(row: Element): Element | null {
    const { env } = this;
    for (let current = env.parent(row); current !== null; current = env.parent(current)) {
      const role = env.attribute(current, 'role');
      if (env.tag(current) === 'table' || role === 'table' || role === 'grid' || role === 'treegrid') {
        return current;
      }
    }
    return null;
  }

  private readHeads(table: Element): string[] {
    const { env } = this;
    let row = env.firstElement(table);
    while (row !== null && env.tag(row) !== 'tr' && env.attribute(row, 'role') !== 'row') {
      // A caption or a list of columns stands before the rows; the group of rows holds them.
      row = env.firstElement(row) ?? env.nextElement(row);
    }
    const heads: string[] = [];
    for (let cell = row === null ? null : env.firstElement(row); cell !== null; cell = env.nextElement(cell)) {
      const isHeader = env.tag(cell) === 'th' || env.attribute(cell, 'role') === 'columnheader';
      const name = isHeader && !isInPrivatePart(env, cell) ? this.names.contentOf(cell) : '';
      const span = spanOf(env, cell);
      for (let i = 0; i < span; i += 1) {
        heads.push(name);
      }
    }
    return heads;
  }
}

/** A header or a footer is the page's own only outside of its parts. */
function landmarkOf(tag: string, outer: Surroundings): string | undefined {
  if (tag === 'header' || tag === 'footer') {
    return outer.section.outer !== null ? undefined : tag === 'header' ? 'banner' : 'contentinfo';
  }
  return LANDMARKS[tag];
}

function headingOf(section: Section): string {
  let current: Section | null = section;
  while (current !== null && current.heading === '') {
    current = current.outer;
  }
  return current?.heading ?? '';
}

function isTelling(tag: string): boolean {
  return (
    SECTIONS.has(tag) ||
    tag === 'header' ||
    PRESSED_TAGS.has(tag) ||
    EMPTY_TAGS.has(tag) ||
    tag === 'tr' ||
    tag === 'td' ||
    tag === 'legend' ||
    tag === 'search' ||
    isOwnTag(tag)
  );
}

/** A table of a page that says a cell spans a billion columns is not taken at its word. */
function spanOf(env: Environment, cell: Element): number {
  const span = Number(env.attribute(cell, 'colspan') ?? '1');
  return Number.isInteger(span) && span > 1 ? Math.min(span, 100) : 1;
}

function set(context: NodeContext, key: keyof NodeContext, value: string): void {
  if (value !== '') {
    context[key] = value;
  }
}
