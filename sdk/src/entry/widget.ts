/** Loaded when the page is idle, or at the first call of the API. */
import type { Settings } from '../widget/settings';
import { Widget } from '../widget/widget';

/** Puts the widget on the page; `beforeReady` may subscribe to events that are about to happen. */
export function startWidget(settings: Settings, beforeReady: (widget: Widget) => void): Widget {
  const widget = new Widget(settings);
  beforeReady(widget);
  widget.events.emit('ready', {});
  return widget;
}
