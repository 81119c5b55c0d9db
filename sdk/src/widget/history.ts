const STORED = 'circuy.history';
const KEPT = 8;

interface Stored {
  whose: string;
  questions: string[];
}

/**
 * The questions asked in this tab, newest first, for the one who asked them: they go when the tab does, and when
 * somebody else signs in. Where they may not be stored they last as long as the page.
 */
export class History {
  private questions: string[] | null = null;

  constructor(
    private readonly whose: string,
    private readonly mayStore: () => boolean,
  ) {}

  get all(): readonly string[] {
    this.questions ??= this.mayStore() ? this.read() : [];
    return this.questions;
  }

  add(question: string): void {
    this.questions = [question, ...this.all.filter((known) => known !== question)].slice(0, KEPT);
    if (this.mayStore()) {
      this.write();
    }
  }

  /** Leaves nothing of it in the browser. */
  forget(): void {
    this.questions = [];
    try {
      sessionStorage.removeItem(STORED);
    } catch {
      // Nothing was stored.
    }
  }

  private read(): string[] {
    try {
      const stored = JSON.parse(sessionStorage.getItem(STORED) ?? 'null') as Partial<Stored> | null;
      const questions: unknown[] = stored?.whose === this.whose ? (stored.questions ?? []) : [];
      return questions.filter((question) => typeof question === 'string').slice(0, KEPT);
    } catch {
      return [];
    }
  }

  private write(): void {
    try {
      const stored: Stored = { whose: this.whose, questions: [...this.all] };
      sessionStorage.setItem(STORED, JSON.stringify(stored));
    } catch {
      // Without storage they last as long as the page.
    }
  }
}
