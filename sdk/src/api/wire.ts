/** What travels between the SDK and the server: names for the types that `npm run api` makes of the OpenAPI schema. */
import type { components } from './schema';

type Schemas = components['schemas'];

export type Locale = Schemas['LocaleEnum'];
export type Placement = Schemas['OnEnum'];
export type ButtonAction = Schemas['ActionEnum'];

/** An end user whom the host application vouches for. `hash` is HMAC-SHA256 of `id` under the organization's secret. */
export type IdentifiedUser = Schemas['IdentifiedUser'];

export type StepButton = Schemas['StepButton'];
export type Step = Schemas['Step'];
export type Guide = Omit<Schemas['Tour'], 'message' | 'suggestions' | 'preview'>;
export type Answer = Schemas['Answer'];

/** A version of a guide with what trying it takes. */
export type TriedGuide = Guide & { preview: Schemas['TourPreview'] };

/** 202: the answer is being made and will be at the address in `Location`. */
export type AnswerPending = Schemas['AnswerPending'];
export type AskRequest = Omit<Schemas['Ask'], 'page_title'> & { page_title?: string };
export type GuideSummary = Schemas['GuideSummary'];

/** What a page offers: its published guides, and what else one may ask about. */
export type Offer = Schemas['Guides'];
export type WidgetSettings = Schemas['WidgetSettings'];

export type TourEventType = Schemas['TourEventTypeEnum'];
export type TourEvent = Omit<Schemas['TourEvent'], 'detail'> & { detail?: string };

export type RecorderSession = Schemas['RecorderSession'];

/** One element of a scanned page. Every string is masked. */
export type A11yNode = Schemas['A11yNode'];
export type NodeContext = Schemas['Context'];
export type NodeState = Schemas['State'];
export type PageScanPayload = Pick<Schemas['PageScan'], 'urlPattern' | 'pageTitle' | 'nodes' | 'truncated'>;
export type ScanRequest = PageScanPayload & Required<Pick<Schemas['PageScan'], 'name' | 'locale'>>;
export type ScanStatus = Schemas['ScanStatus'];

/** RFC 9457, with our stable `code`. A proxy in between may answer with something else: nothing is sure to be there. */
export type Problem = Partial<Schemas['Problem']>;
