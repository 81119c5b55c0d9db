/**
 * The token by which the server knows an anonymous end user again. It is kept in the browser under the page's key;
 * where storage is forbidden it lives as long as the page.
 */
export class VisitorToken {
  private current: string | null;

  constructor(private readonly publishableKey: string) {
    this.current = read(this.storageKey);
  }

  get value(): string | null {
    return this.current;
  }

  keep(token: string | undefined): void {
    if (token === undefined || token === '' || token === this.current) {
      return;
    }
    this.current = token;
    try {
      localStorage.setItem(this.storageKey, token);
    } catch {
      // Private windows and strict settings refuse storage; the token then lasts as long as the page.
    }
  }

  private get storageKey(): string {
    return `circuy.visitor.${this.publishableKey}`;
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
