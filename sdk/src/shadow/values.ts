/** Reads what people typed or chose, through the browser's own prototypes: a page may hide them. */
import type { Environment } from '../dom/environment';

/** Reads a property of elements through `prototype`, whatever they themselves say. */
function reader(prototype: object, name: string): (element: Element) => unknown {
  return (element) => Reflect.get(prototype, name, element) as unknown;
}

export interface Values {
  /** What is in a field that people write in; so much of it that it can be masked. */
  written(element: Element): string;
  isChecked(element: Element): boolean;
  /** The chosen options of a select. */
  chosen(select: Element): Element[];
  /** Names of the files that were picked. */
  files(input: Element): string[];
}

const LONGEST_READ = 4_000;

export function valuesOf(env: Environment): Values {
  const inputValue = reader(HTMLInputElement.prototype, 'value');
  const areaValue = reader(HTMLTextAreaElement.prototype, 'value');
  const checked = reader(HTMLInputElement.prototype, 'checked');
  const files = reader(HTMLInputElement.prototype, 'files');
  const options = reader(HTMLSelectElement.prototype, 'options');
  const selected = reader(HTMLOptionElement.prototype, 'selected');
  return {
    written: (element) => {
      const tag = env.tag(element);
      const value = tag === 'input' ? inputValue(element) : tag === 'textarea' ? areaValue(element) : null;
      return (typeof value === 'string' ? value : env.allText(element)).slice(0, LONGEST_READ);
    },
    isChecked: (element) => checked(element) === true,
    chosen: (select) => [...(options(select) as Iterable<Element>)].filter((option) => selected(option) === true),
    files: (input) => [...((files(input) ?? []) as Iterable<File>)].map(({ name }) => name),
  };
}
