/**
 * The only place that knows fetch and WebSocket. A screen writes
 *   const lamps = useCall(listLamps, { query: { page: 1 } });      // data, error, isPending, refetch
 *   const save = useSend(changeLamp, [listLamps]);                  // await save.mutateAsync({ params, body })
 *   const would = useDryRun(changeLamp, input);                     // data.would: what it would change
 *   const all = useDryRuns(changeLamp, inputs);                     // the same of several calls, in one sum
 *   useLive('lamps', (message) => …);                               // deltas, and `stale`: fetch again
 */
export { call, download, fetchFile, neededBy, reactToRefusals, tryCall } from './call.ts';
export { useDryRun, useDryRuns } from './use-dry-run.ts';
export { upload } from './upload.ts';
export { ApiError, wantsCount } from './api-error.ts';
export { patchAnswer, useWatched } from './freshness.ts';
export { askedBehind, holdBack, requestOf, type Asked } from './asked.ts';
export { useAgain } from './use-again.ts';
export { callKey, createQueryClient, useCall, useSend } from './use-call.ts';
export { connectLive, liveUrl, type LiveConnection } from './live-socket.ts';
export { LiveContext, useLive, useLiveState } from './use-live.ts';
export { useSoon } from './use-soon.ts';
export { useSpaced } from './use-spaced.ts';
export { keepSession } from './session-keeper.ts';
