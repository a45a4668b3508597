import { clearSession, endOnServer, PREVIEW_DOOR } from '../../session/index.ts';
import { useTabStore } from '../../frame/tabs/tab-context.ts';

/** After so long a tab that the browser would not close says so itself. */
const STILL_OPEN_MS = 400;

/**
 * Ends the preview: its session on the server, then the tab; where the browser does not close it, the tab says that it
 * is over.
 */
export function useExitPreview(): () => void {
  const tabs = useTabStore();
  return () => {
    void endOnServer();
    // Nothing typed into a preview could be saved: no question about it.
    for (const tab of tabs.getState().tabs) tabs.setUnsaved(tab.key, false);
    clearSession();
    window.close();
    // A tab that is closing must not begin to load something else: that can keep it open.
    setTimeout(() => window.location.replace(PREVIEW_DOOR), STILL_OPEN_MS);
  };
}
