import { ApiError } from '../api/errors';
import { PreviewClient } from '../api/preview_client';
import type { TriedGuide } from '../api/wire';
import { speaker, type Say } from '../core/locale';
import { compileUsable } from '../core/masking/extra';
import { previewMessages, type PreviewMessageKey } from '../core/preview_messages';
import { environmentOf } from '../dom/environment';
import { HOSTS } from '../dom/own_ui';
import { boxOf } from '../ui/box';
import { h } from '../ui/element';
import { mountHost, type Host } from '../ui/host';
import theme from '../ui/theme.css';
import { watchPlace } from '../tour/places';
import { paintGuides } from '../widget/look';
import type { Settings } from '../widget/settings';
import { Bar, button } from './bar';
import type { Choice, Sight } from './choices';
import { forgetPreview, hasEnded, keepPreviewToken, noteEnded } from './entrance';
import { Picker } from './picker';
import { Player } from './player';
import styles from './preview.css';
import { sightsOf, type StepSight } from './states';
import { explain, nameOf, reviewLink } from './telling';
import { keepInReach } from './top_layer';

/** How long a page may have changed before its steps are looked for again. */
const LOOK_AFTER_MS = 600;
const TOKEN_GONE = 'preview_token_invalid';
const GAP = 12;

/** A version of a guide being tried on its page by somebody who may change it. Nothing of it counts as a user's. */
export class Preview {
  private readonly env = environmentOf(window);
  private readonly client: PreviewClient;
  private readonly life = new AbortController();
  private readonly player: Player;
  private readonly leave: (() => void)[] = [];
  private say: Say<PreviewMessageKey>;
  private host: Host;
  private bar: Bar;
  private tried: TriedGuide | null = null;
  private picker: Picker | null = null;
  /** The step that is shown, or was last. */
  private index = 0;
  private sights: StepSight[] = [];
  private pending: ReturnType<typeof setTimeout> | null = null;
  private unmount: () => void = () => undefined;

  constructor(
    settings: Settings,
    private token: string,
    private readonly onQuit: () => void,
  ) {
    this.client = new PreviewClient(settings);
    this.say = speaker(previewMessages, settings.locale);
    const { locale } = settings;
    this.player = new Player({
      locale,
      messages: settings.messages[locale] ?? {},
      theme,
      onShown: (index) => {
        this.onShown(index);
      },
      onEnded: () => {
        noteEnded(this.token);
        this.bar.setStatus('plain', this.say('ended'));
      },
    });
    [this.host, this.bar] = this.mount(locale);
    this.watch();
  }

  /** Fetches the version and plays it, or goes on with it where the page before left it. */
  async open(): Promise<void> {
    this.bar.setStatus('working', this.say('opening'));
    try {
      const [tried, look] = await Promise.all([this.client.open(this.token), this.client.look().catch(() => null)]);
      if (this.life.signal.aborted) {
        return;
      }
      if (look !== null) {
        this.leave.push(paintGuides(look));
      }
      this.say = speaker(previewMessages, tried.preview.locale);
      this.unmount();
      [this.host, this.bar] = this.mount(tried.preview.locale);
      this.take(tried);
      this.bar.setStatus('plain', '');
      await this.begin(tried);
    } catch (error) {
      this.fail(error, () => void this.open());
    }
  }

  /** Takes it off the page. The try-out goes on: the next page of this tab continues it. */
  remove(): void {
    this.life.abort();
    this.stopPicking();
    this.player.stop();
    if (this.pending !== null) {
      clearTimeout(this.pending);
    }
    for (const leave of this.leave) {
      leave();
    }
    this.unmount();
  }

  private mount(locale: string): [Host, Bar] {
    const host = mountHost(HOSTS.preview, locale, theme, styles);
    const bar = new Bar(this.say, {
      replay: () => void this.play(0),
      goTo: (index) => void this.play(index),
      pick: () => void this.startPicking(),
      confirm: () => void this.picker?.choose(),
      cancel: () => {
        this.cancelPicking();
      },
      quit: () => {
        this.quit();
      },
    });
    host.root.append(h('div', { class: 'root' }, bar.element));
    const letGo = keepInReach(host);
    const observer = new ResizeObserver(() => {
      this.dock();
    });
    observer.observe(bar.element);
    this.unmount = () => {
      observer.disconnect();
      letGo();
      host.remove();
    };
    return [host, bar];
  }

  private quit(): void {
    this.remove();
    forgetPreview();
    this.onQuit();
  }

  private take(tried: TriedGuide): void {
    this.tried = tried;
    if (tried.preview.token !== this.token) {
      this.token = tried.preview.token;
      keepPreviewToken(this.token);
    }
    this.bar.setGuide(tried);
    this.bar.setMode('tour', tried.preview.editable);
    this.reflect();
  }

  private async begin(tried: TriedGuide): Promise<void> {
    const went = hasEnded(this.token) ? 'none' : await this.player.resume();
    if (went === 'elsewhere') {
      this.bar.setStatus('plain', this.say('nothingHere'));
    } else if (went === 'none' && !hasEnded(this.token) && tried.steps.length > 0) {
      await this.player.play(tried, 0);
    }
  }

  private async play(index: number): Promise<void> {
    const { tried } = this;
    if (tried === null) {
      return;
    }
    noteEnded(null);
    this.bar.setStatus('plain', '');
    try {
      await this.player.play(tried, index);
    } catch {
      this.bar.setStatus('bad', this.say('errorPlay'));
    }
  }

  private onShown(index: number): void {
    this.index = index;
    this.reflect();
  }

  /** Says where the guide is, and how its steps find their elements on the page as it is now. */
  private reflect(): void {
    const { tried } = this;
    if (tried === null || this.picker !== null) {
      return;
    }
    this.sights = sightsOf(this.env, tried, location);
    this.bar.setPlace(tried.preview.version, this.index);
    this.bar.setSights(this.sights);
    // An element of another page could not be found on the step's own.
    this.bar.allow('pick', this.sights[this.index]?.state !== 'elsewhere');
    this.dock();
  }

  private watch(): void {
    const later = () => {
      this.pending ??= setTimeout(() => {
        this.pending = null;
        this.reflect();
      }, LOOK_AFTER_MS);
    };
    const observer = new MutationObserver(later);
    observer.observe(document.documentElement, { subtree: true, childList: true, attributes: true });
    this.leave.push(() => {
      observer.disconnect();
    });
    const { signal } = this.life;
    watchPlace(later, signal);
    let frame = 0;
    const scrolled = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        this.dock();
      });
    };
    window.addEventListener('scroll', scrolled, { capture: true, passive: true, signal });
    window.addEventListener('resize', scrolled, { signal });
  }

  /** Along the lower edge of the window; along the upper one where it would cover what the step is about. */
  private dock(): void {
    const { element } = this.bar;
    const target = this.picker === null ? (this.sights[this.index]?.element ?? null) : this.picker.framed;
    const box = target === null ? null : boxOf(this.env, target);
    const room = element.offsetHeight + 2 * GAP;
    const isHigh = box !== null && box.top + box.height > innerHeight - room && box.top < innerHeight && box.top > room;
    element.classList.toggle('high', isHigh);
    this.player.leaveRoom(isHigh ? 'top' : 'bottom', room - GAP);
  }

  private async startPicking(): Promise<void> {
    const { tried, index } = this;
    if (tried === null || this.picker !== null) {
      return;
    }
    this.player.stop();
    const { bar, say } = this;
    const picker = new Picker(this.env, {
      masks: compileUsable(tried.preview.masks).rules,
      say,
      bar: bar.element,
      onSight: (sight) => {
        this.onSight(sight);
      },
      onChosen: (choice) => void this.attach(index, choice),
      onGone: () => {
        bar.setStatus('bad', say('gone'));
      },
      onCancelled: () => {
        this.cancelPicking();
      },
    });
    this.picker = picker;
    this.host.root.querySelector('.root')?.prepend(picker.pane, picker.outline.element);
    bar.setMode('picking');
    bar.element.classList.remove('high');
    bar.setWhere(say('pick', { count: index + 1 }));
    bar.setStatus('working', say('looking'));
    bar.element.focus({ preventScroll: true });
    try {
      await picker.start();
      if (this.picker === picker) {
        bar.setStatus('plain', this.howToPick());
      }
    } catch {
      this.stopPicking();
      bar.setStatus('bad', say('lookFailed'));
    }
  }

  private onSight(sight: Sight | null): void {
    const { bar, say } = this;
    bar.allow('confirm', sight !== null && 'choice' in sight);
    if (sight === null) {
      bar.setStatus('plain', this.howToPick());
    } else if ('refusal' in sight) {
      bar.setStatus(sight.refusal === 'nothing' ? 'plain' : 'bad', say(`refused_${sight.refusal}`));
    } else {
      const { node, kind, strength } = sight.choice;
      const told = { kind: say(`kind_${kind}`), name: nameOf(node, say), strength: say(strength) };
      bar.setStatus('plain', `${say('framed', told)} ${this.howToPick()}`);
    }
    this.dock();
  }

  private howToPick(): string {
    return this.say(matchMedia('(pointer: coarse)').matches ? 'pickTouch' : 'pickKeys');
  }

  /** Back to the guide, at the step that was to be pointed elsewhere. */
  private cancelPicking(): void {
    this.stopPicking();
    void this.play(this.index);
  }

  private stopPicking(): void {
    const { picker, tried } = this;
    this.picker = null;
    picker?.remove();
    if (picker !== null && tried !== null) {
      this.bar.setMode('tour', tried.preview.editable);
      this.reflect();
    }
  }

  private async attach(index: number, { node }: Choice): Promise<void> {
    const before = this.tried;
    this.stopPicking();
    this.bar.setStatus('working', this.say('saving'));
    try {
      const tried = await this.client.attach(this.token, index, node, location.pathname);
      if (this.life.signal.aborted) {
        return;
      }
      this.take(tried);
      await this.play(index);
      const { version, review_url: review } = tried.preview;
      if (version === before?.preview.version) {
        this.bar.setStatus('plain', this.say('unchanged', { count: index + 1 }));
      } else {
        const told = { count: index + 1, name: nameOf(node, this.say), version };
        this.bar.setStatus('good', this.say('attached', told), ...reviewLink(review, this.say));
      }
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown, retry: (() => void) | null = null): void {
    if (this.life.signal.aborted) {
      return;
    }
    const isGone = error instanceof ApiError && error.code === TOKEN_GONE;
    const isRefused = error instanceof ApiError && error.kind === 'refused';
    if (isGone) {
      this.player.stop();
      forgetPreview();
      this.bar.setMode('empty');
    }
    const more =
      retry === null || isRefused ? [] : [button(this.say('retry'), 'preview-retry', 'quiet', retry, 'retry')];
    const review = !isGone && this.tried !== null ? reviewLink(this.tried.preview.review_url, this.say) : [];
    this.bar.setStatus('bad', explain(error, this.say), ...more, ...review);
  }
}
