import type { Answer, TourEventType } from '../api/wire';

/** What a host application can listen to with `Circuy.on`. */
export interface WidgetEvents {
  ready: Record<string, never>;
  opened: Record<string, never>;
  closed: Record<string, never>;
  asked: { question: string };
  answered: { answer: Answer };
  failed: { code: string };
  tour: { type: TourEventType; tourId: string | null; step?: number; detail?: string };
}
