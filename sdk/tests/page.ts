import { environmentOf, type Environment } from '../src/dom/environment';

/**
 * The environment of the test page. jsdom lays nothing out: here everything has a box, except what carries `data-no-box`.
 */
export function testEnvironment(): Environment {
  const env = environmentOf(window);
  return { ...env, hasBox: (element) => env.attribute(element, 'data-no-box') === null };
}

/** The same, for big pages: jsdom computes styles too slowly for them. */
export function quickEnvironment(): Environment {
  const style = window.getComputedStyle(document.body);
  return { ...testEnvironment(), isRendered: () => true, style: () => style };
}

export function showPage(html: string): void {
  document.title = '';
  document.body.innerHTML = html;
}

/** The same, telling `onQuestion` each time that the page is asked something. */
export function countingEnvironment(onQuestion: () => void): Environment {
  return new Proxy(testEnvironment(), {
    get: (env, name, receiver) => {
      onQuestion();
      return Reflect.get(env, name, receiver) as unknown;
    },
  });
}
