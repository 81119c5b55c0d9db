import { call, type Caller, type Credentials } from './http';
import type { A11yNode, TriedGuide, WidgetSettings } from './wire';

/** The server, as a reviewer's try-out sees it. Every method throws ApiError when the call does not succeed. */
export class PreviewClient {
  private readonly credentials: Credentials;

  constructor({ base, key, locale }: Caller) {
    this.credentials = { base, token: key, locale };
  }

  /** The version that `token` was made for. */
  async open(token: string): Promise<TriedGuide> {
    const query = new URLSearchParams({ preview: token });
    return this.read(`${addressOf(token)}?${query.toString()}`);
  }

  /** Points step `index` at `node` of the page at `route`; gives the new version, or the same one if it did already. */
  async attach(token: string, index: number, node: A11yNode, route: string): Promise<TriedGuide> {
    return this.read(`${addressOf(token)}/steps/${index}/target`, { preview: token, node, route });
  }

  /** How guides look to the organization's users. */
  async look(): Promise<WidgetSettings> {
    return this.read('/v1/widget');
  }

  private async read<Reply>(path: string, body?: object): Promise<Reply> {
    const options = body === undefined ? {} : { method: 'POST' as const, body };
    return (await (await call(this.credentials, path, options)).json()) as Reply;
  }
}

/** A token begins with the id of its tour. */
function addressOf(token: string): string {
  return `/v1/tours/${encodeURIComponent(token.split('.', 1)[0] ?? '')}`;
}
