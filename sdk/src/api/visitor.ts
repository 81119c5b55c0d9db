/**
 * The token by which the server knows an anonymous end user again. It is kept in the browser under the page's key;
 * where storage is forbidden, or the person refused it, it lives as long as the page.
 */
export class VisitorToken {
  /** Undefined until it is asked for: the first look into the storage makes a page wait. */
  private current: string | null | undefined;

  constructor(
    private readonly publishableKey: string,
    private readonly mayStore: () => boolean,
  ) {}

  get value(): string | null {
    if (this.current === undefined) {
      this.current = this.mayStore() ? read(this.storageKey) : null;
    }
    return this.current;
  }

  keep(token: string | undefined): void {
    if (token === undefined || token === '' || token === this.value) {
      return;
    }
    this.current = token;
    if (!this.mayStore()) {
      return;
    }
    try {
      localStorage.setItem(this.storageKey, token);
    } catch {
      // Private windows and strict settings refuse storage; the token then lasts as long as the page.
    }
  }

  /** Is nobody again, here and in the browser's storage. */
  forget(): void {
    this.current = null;
    try {
      localStorage.removeItem(this.storageKey);
    } catch {
      // Nothing was stored.
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
