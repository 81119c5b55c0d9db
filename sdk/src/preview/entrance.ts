/** How a reviewer comes in: a signed token in the address, kept by this tab alone until the try-out is left. */
import { takeFragment } from '../entry/fragment';

const STORED = 'circuy.preview';
const ENDED = 'circuy.preview.ended';

/** The token in the address, else the one that this tab keeps; null without one. */
export function takePreviewToken(): string | null {
  const token = takeFragment('preview');
  if (token !== null) {
    keepPreviewToken(token);
    return token;
  }
  return read(STORED);
}

export function keepPreviewToken(token: string): void {
  write(STORED, token);
}

/** Whether the guide was walked to its end, or closed: then it does not start again by itself on the next page. */
export function hasEnded(token: string): boolean {
  return read(ENDED) === token;
}

export function noteEnded(token: string | null): void {
  write(ENDED, token);
}

export function forgetPreview(): void {
  write(STORED, null);
  write(ENDED, null);
}

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value === null) {
      sessionStorage.removeItem(key);
    } else {
      sessionStorage.setItem(key, value);
    }
  } catch {
    // Without storage the try-out lasts as long as the page.
  }
}
