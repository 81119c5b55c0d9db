/** Keeps a host of ours where people can see and reach it, whatever the page and its guide show. */
import { HOSTS } from '../dom/own_ui';
import { lastModal } from '../tour/modals';
import type { Host } from '../ui/host';

const LOOK_EVERY_MS = 250;

/**
 * Puts `host` on top of the top layer, over the guide that dims the page; inside the modal dialog that is open, for there
 * everything else is inert. The returned function lets go of it.
 */
export function keepInReach({ element, root }: Host): () => void {
  const isOpen = () => !('showPopover' in element) || element.matches(':popover-open');
  const stand = () => {
    const focused = root.activeElement;
    const place = lastModal() ?? document.documentElement;
    if (element.parentNode !== place) {
      place.append(element);
    }
    if ('showPopover' in element) {
      element.popover = 'manual';
      if (isOpen()) {
        element.hidePopover();
      }
      element.showPopover();
    }
    if (focused instanceof HTMLElement && root.activeElement !== focused) {
      focused.focus({ preventScroll: true });
    }
  };
  const onToggle = ({ target }: Event) => {
    if (target instanceof Element && target.localName === HOSTS.tour) {
      stand();
    }
  };
  stand();
  const timer = setInterval(() => {
    if (element.parentNode !== (lastModal() ?? document.documentElement) || !isOpen()) {
      stand();
    }
  }, LOOK_EVERY_MS);
  document.addEventListener('toggle', onToggle, true);
  return () => {
    clearInterval(timer);
    document.removeEventListener('toggle', onToggle, true);
  };
}
