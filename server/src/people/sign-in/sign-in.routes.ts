import {
  changePassword,
  getCaptcha,
  getPasswordRule,
  getPublicKey,
  login,
  logout,
  refreshToken,
} from '../../../../contract/specified/sign-in.ts';
import { confirmPassword, createSignInLink, exchangeSignInLink } from '../../../../contract/people/me.ts';
import { bind, refuse, tokenOf, type Binding } from '../../platform/http/index.ts';
import { passwordRuleText } from '../accounts/index.ts';
import { captchaOf } from './captcha.ts';
import type { SignInFeature } from './sign-in.ts';

export function signInRoutes(feature: SignInFeature): Binding[] {
  return [...credentialRoutes(feature), ...sessionRoutes(feature), ...linkRoutes(feature)];
}

function credentialRoutes({
  captchas,
  captchaChecked,
  publicKey,
  signIn,
  changePassword: change,
  limits,
}: SignInFeature): Binding[] {
  return [
    bind(
      getCaptcha,
      async (_input, ctx) => {
        // The console then asks for no code; family clients, which know no such header, send one that nobody compares.
        if (!captchaChecked) ctx.setHeader('x-captcha', 'off');
        const { key, source } = await captchas.issue();
        return { [key]: source };
      },
      { limit: limits.captcha },
    ),
    bind(getPublicKey, (_input, ctx) => {
      // The console asks for this first: where no code is compared it then fetches no picture.
      if (!captchaChecked) ctx.setHeader('x-captcha', 'off');
      return { publicKey };
    }),
    bind(
      login,
      async ({ body }, ctx) => {
        const signedIn = await signIn({
          username: body.username,
          password: body.password,
          remember: body.rememberme === 1,
          captcha: captchaOf(ctx.headers),
          address: ctx.address,
          userAgent: ctx.headers['user-agent'],
        });
        if (signedIn.token !== '') ctx.setHeader('authorization', signedIn.token);
        return signedIn;
      },
      { limit: limits.login, rules: 'none' },
    ),
    bind(getPasswordRule, (_input, ctx) => passwordRuleText(ctx.language)),
    bind(
      changePassword,
      async ({ body }, ctx) => {
        const answer = await change({
          caller: ctx.caller,
          userId: body.userId ?? undefined,
          userName: body.userName,
          oldPassword: body.oldPassword,
          newPassword: body.newPassword,
          token: tokenOf(ctx.headers),
          address: ctx.address,
          userAgent: ctx.headers['user-agent'],
          language: ctx.language,
          uri: `${changePassword.method} ${changePassword.path}`,
        });
        if (answer.token !== undefined) ctx.setHeader('authorization', answer.token);
        return answer;
      },
      { limit: limits.passwordChange, rules: 'none' },
    ),
  ];
}

function sessionRoutes({ sessions, checkOwnPassword, limits }: SignInFeature): Binding[] {
  return [
    bind(refreshToken, async ({ query }, ctx) => {
      const token = await sessions.rotate({
        sessionId: ctx.caller.sessionId,
        token: tokenOf(ctx.headers) ?? '',
        remember: query.rememberme !== 0,
      });
      ctx.setHeader('authorization', token);
      return { token };
    }),
    bind(logout, async (_input, ctx) => {
      const { caller } = ctx;
      if (caller) (await ctx.change({ action: 'session.end' }, (tx) => sessions.end(tx, caller.sessionId)))();
      return { success: true };
    }),
    bind(
      confirmPassword,
      async ({ body }, ctx) => {
        const { caller } = ctx;
        const outcome = await checkOwnPassword(caller, body.password, ctx.address, (tx) =>
          sessions.confirm(tx, caller.sessionId),
        );
        if (!outcome.right && outcome.ended) throw refuse('sessionEnded');
        if (!outcome.right)
          throw refuse(
            'wrongOperatorPassword',
            {},
            { body: { attempts: outcome.attempts }, fields: [{ field: 'password', rule: 'invalid' }] },
          );
        await ctx.change({ action: 'session.confirm' }, () => Promise.resolve());
      },
      { limit: limits.login, rules: 'none' },
    ),
  ];
}

function linkRoutes({ links, accounts, limits }: SignInFeature): Binding[] {
  return [
    bind(createSignInLink, (_input, ctx) =>
      ctx.change({ action: 'signInLink.create' }, (tx) => links.make(tx, ctx.caller.accountId)),
    ),
    bind(
      exchangeSignInLink,
      async ({ body }, ctx) => {
        if (body.peek === true) {
          const { id, username } = await links.peek(body.token, ctx.address);
          return { name: await accounts.displayName(id), username };
        }
        const { account, token } = await links.exchange(body.token, {
          address: ctx.address,
          userAgent: ctx.headers['user-agent'],
        });
        ctx.setHeader('authorization', token);
        return { name: await accounts.displayName(account.id), username: account.username, token };
      },
      { limit: limits.login, rules: 'none' },
    ),
  ];
}
