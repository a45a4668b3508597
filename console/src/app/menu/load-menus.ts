import { getMenus } from '../../../../contract/specified/account.ts';
import { ApiError, call, callKey } from '../../api/index.ts';
import { builtInScreens, screens } from '../../screens/index.ts';
import { buildMenu, type MenuModel, type ScreenNames } from '../../frame/menu/menu.ts';

/** Names of every registered screen. */
export const screenNames: ScreenNames = {
  builtIn: new Set(Object.keys(builtInScreens)),
  components: new Set(Object.keys(screens)),
};

const PAUSES_MS = [500, 1_500, 3_000];
const worthAnotherTry = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'network' || error.status === 502 || error.status === 503);
const pause = (ms: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

/**
 * Loads the account's menu. An empty list counts as an error (specified 2.2); a server that is just starting is asked a
 * few times more before the guard gives up.
 */
export async function loadMenus(signal?: AbortSignal): Promise<MenuModel> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const entries = await call(getMenus, {}, signal ? { signal } : {});
      if (!Array.isArray(entries) || entries.length === 0) throw new Error('the menu call answered without data');
      return buildMenu(entries, screenNames);
    } catch (error) {
      const wait = PAUSES_MS[attempt];
      if (wait === undefined || !worthAnotherTry(error)) throw error;
      await pause(wait);
    }
  }
}

/** The menu's query: begun while the texts are on their way, watched by the guard. */
export const menuQuery = {
  queryKey: callKey(getMenus, {}),
  queryFn: ({ signal }: { signal: AbortSignal }) => loadMenus(signal),
  staleTime: Infinity,
  retry: false,
} as const;
