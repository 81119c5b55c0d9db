/** Putting into words what a try-out is about, and what went wrong in it. */
import { ApiError } from '../api/errors';
import type { A11yNode } from '../api/wire';
import type { Say } from '../core/locale';
import type { PreviewMessageKey } from '../core/preview_messages';
import { h } from '../ui/element';
import { icon } from '../ui/icons';

type Speaker = Say<PreviewMessageKey>;

export function nameOf({ label, placeholder }: A11yNode, say: Speaker): string {
  return label ?? placeholder ?? say('unnamed');
}

export function explain(error: unknown, say: Speaker): string {
  if (!(error instanceof ApiError)) {
    return say('errorPlay');
  }
  switch (error.kind) {
    case 'offline':
      return say('errorOffline');
    case 'timeout':
      return say('errorTimeout');
    case 'throttled':
      return say('errorThrottled');
    case 'server':
      return say('errorServer');
    case 'refused':
      return error.message || say('errorServer');
  }
}

/** The way back to the review page; none when `address` is no web page's: one like `javascript:` is not followed. */
export function reviewLink(address: string, say: Speaker): HTMLElement[] {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return [];
  }
  const attributes = { href: url.href, target: '_blank', rel: 'noopener' };
  return [h('a', { class: 'review', hook: 'preview-review', attributes }, say('review'), icon('external'))];
}
