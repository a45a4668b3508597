/** Frames: what was busy while its call was on its way can have the focus again in the second or third. */
const patience = 30;

/** What has the focus for itself: the page, or what stands above it (a dialog, a drawer, a menu). */
interface Layer {
  root: Element;
  /** What had the focus last in it; null: who had it has left it. */
  last: HTMLElement | null;
}

/** Dialogs and menus are drawn as children of the page's body or of the shell's region of popups, beside the page. */
function rootOf(one: Element, popupsId: string): Element {
  let root = one;
  while (root.parentElement && root.parentElement !== document.body && root.parentElement.id !== popupsId)
    root = root.parentElement;
  return root;
}

/** Disabled or taken away: it lost the focus without anybody leaving it. */
const isTaken = (one: HTMLElement): boolean => !one.isConnected || one.matches(':disabled');

/**
 * Once a dialog is taken away that had the focus, gives the focus back to what had it before. Most dialogs are there
 * only while they are open, so they cannot do it themselves; a button that sends may be disabled meanwhile and has lost
 * the focus by the time a dialog is there.
 * @param popupsId the id of the region where menus and dialogs are drawn
 * @returns stops it
 */
export function keepFocus(popupsId: string): () => void {
  const layers: Layer[] = [];
  let frame = 0;

  const giveBack = (left: number): void => {
    // Whoever has gone elsewhere stays there.
    if (document.activeElement !== document.body) return;
    while (layers.length > 0 && layers.at(-1)?.root.isConnected === false) layers.pop();
    const top = layers.at(-1);
    if (!top?.last) return;
    if (top.last.isConnected) top.last.focus({ preventScroll: true });
    // The row of a list that was deleted, with its button: the page itself, or the dialog.
    else top.root.querySelector<HTMLElement>('main, [role="dialog"]')?.focus({ preventScroll: true });
    if (document.activeElement !== document.body) return;
    // The entry of a menu that has closed: what opened the menu.
    if (layers.length > 1 && !top.last.matches(':disabled')) {
      layers.pop();
      giveBack(left);
    } else if (left > 0) frame = requestAnimationFrame(() => giveBack(left - 1));
  };
  const closed = new MutationObserver(() => {
    if (layers.every(({ root }) => root.isConnected)) return;
    cancelAnimationFrame(frame);
    giveBack(patience);
  });

  const arrived = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    const root = rootOf(target, popupsId);
    const at = layers.findIndex((layer) => layer.root === root);
    if (at === -1) {
      if (root.parentNode) closed.observe(root.parentNode, { childList: true });
      layers.push({ root, last: target });
    } else layers.splice(at, layers.length, { root, last: target });
  };
  const left = ({ target, relatedTarget }: FocusEvent): void => {
    const top = layers.at(-1);
    // The window has lost it, not the element; and what is disabled or taken away is waited for.
    if (relatedTarget !== null || !top?.last || target !== top.last || !document.hasFocus() || isTaken(top.last))
      return;
    top.last = null;
  };
  document.addEventListener('focusin', arrived);
  document.addEventListener('focusout', left);
  return () => {
    cancelAnimationFrame(frame);
    closed.disconnect();
    document.removeEventListener('focusin', arrived);
    document.removeEventListener('focusout', left);
  };
}
