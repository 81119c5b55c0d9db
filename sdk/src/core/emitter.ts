/** A list of listeners by event name. */
export class Emitter<Events extends object> {
  private readonly listeners = new Map<keyof Events, Set<(payload: never) => void>>();

  /** Calls `listener` at each `event`; the returned function removes it. */
  on<Name extends keyof Events>(event: Name, listener: (payload: Events[Name]) => void): () => void {
    const listeners = this.listeners.get(event) ?? new Set();
    listeners.add(listener);
    this.listeners.set(event, listeners);
    return () => {
      listeners.delete(listener);
    };
  }

  /** Does not call `listener` at `event` any more. */
  off<Name extends keyof Events>(event: Name, listener: (payload: Events[Name]) => void): void {
    this.listeners.get(event)?.delete(listener);
  }

  /** Tells every listener. One that throws is reported and does not keep the others from hearing. */
  emit<Name extends keyof Events>(event: Name, payload: Events[Name]): void {
    for (const listener of [...(this.listeners.get(event) ?? [])]) {
      try {
        (listener as (payload: Events[Name]) => void)(payload);
      } catch (error) {
        console.error('Circuy: a listener failed', error);
      }
    }
  }

  /** Forgets every listener. */
  clear(): void {
    this.listeners.clear();
  }
}
