/** Reads what the administration's “Learn a page” gives: a link with a one-time code in it, or the code alone. */

const CODE = /^[\w-]{1,200}$/;
const IN_LINK = /#circuy-record=([\w-]{1,200})$/;

/** `elsewhere`: the link is for a page of another site than the one in front. */
export type RecordingLink = { code: string } | { elsewhere: string } | null;

/** The code in `text`, for a page of `origin`; null when there is none. */
export function readRecordingLink(text: string, origin: string): RecordingLink {
  const written = text.trim();
  if (CODE.test(written)) {
    return { code: written };
  }
  const code = IN_LINK.exec(written)?.[1];
  if (code === undefined || !URL.canParse(written)) {
    return null;
  }
  const site = new URL(written).origin;
  return site === origin ? { code } : { elsewhere: site };
}
