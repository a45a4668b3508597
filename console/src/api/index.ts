/**
 * The only place that knows fetch and WebSocket. A screen writes
 *   const lamps = useCall(listLamps, { query: { page: 1 } });      // data, error, isPending, refetch
 *   const save = useSend(changeLamp, [listLamps]);                  // await save.mutateAsync({ params, body })
 *   useLive('lamps', (message) => …);                               // deltas, and `stale`: fetch again
 */
export { call, download, reactToRefusals, type CallOptions, type CallReactions } from './call.ts';
export { ApiError, type ApiErrorKind, type Problem } from './api-error.ts';
export { callKey, createQueryClient, useCall, useSend, type UseCallOptions } from './use-call.ts';
export { connectLive, liveUrl, type LiveConnection, type LiveState } from './live-socket.ts';
export { LiveContext, useLive, useLiveState } from './use-live.ts';
export { keepSession } from './session-keeper.ts';
