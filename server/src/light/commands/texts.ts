import type { Language } from '../../../../catalogue/languages.ts';
import type { itemErrors } from '../../../../contract/light/commands.ts';
import type { CommandState } from './commands.rules.ts';

type Column = 'code' | 'name' | 'state' | 'error' | 'queued' | 'sent' | 'acknowledged' | 'ended' | 'proofAt' | 'level' | 'power' | 'relay' | 'verification';
export interface CommandTexts {
  readonly title: string;
  readonly columns: Readonly<Record<Column, string>>;
  readonly states: Readonly<Record<CommandState, string>>;
  /** Keys that the server writes; everything else is the device's own words. */
  readonly errors: Readonly<Record<(typeof itemErrors)[number], string>> & Readonly<Record<string, string>>;
  readonly closed: string;
  readonly open: string;
  readonly verified: Readonly<Record<'confirmed' | 'contradicted', string>>;
}

/** Words of the file of a command's results. */
export const commandTexts: Readonly<Record<Language, CommandTexts>> = {
  'zh-CN': {
    title: '命令结果',
    columns: { code: '设备编号', name: '设备名称', state: '结果', error: '说明', queued: '排队时间', sent: '下发时间', acknowledged: '应答时间', ended: '结束时间', proofAt: '回读时间', level: '回读亮度 (%)', power: '回读功率 (W)', relay: '继电器', verification: '事后核实' },
    states: { waiting: '等待放行', queued: '排队', sent: '已下发', acknowledged: '已应答', confirmed: '已确认', failed: '失败', timedOut: '超时', expired: '过期未执行', superseded: '被新命令取代', cancelled: '已取消' },
    errors: { notSent: '没有送达设备', noAnswer: '应答超时', notConfirmed: '已应答，回读不符', disabled: '设备已停用', strongerInForce: '更高优先级的命令正在生效', approvalExpired: '审批超时', approvalRefused: '审批被驳回', expired: '设备收到时已过期', refused: '设备拒绝' },
    closed: '闭合', open: '断开', verified: { confirmed: '回读相符', contradicted: '回读不符' },
  },
  'zh-TW': {
    title: '命令執行結果',
    columns: { code: '裝置編號', name: '裝置名稱', state: '執行結果', error: '備註', queued: '排隊時刻', sent: '下達時刻', acknowledged: '應答時刻', ended: '結束時刻', proofAt: '回報時刻', level: '回報亮度 (%)', power: '回報功率 (W)', relay: '繼電器', verification: '事後查證' },
    states: { waiting: '等候放行', queued: '排隊中', sent: '已下達', acknowledged: '已應答', confirmed: '已確認', failed: '未成功', timedOut: '逾時', expired: '逾期未執行', superseded: '由新命令取代', cancelled: '已撤銷' },
    errors: { notSent: '未送達裝置', noAnswer: '應答逾時', notConfirmed: '已應答，回報不符', disabled: '裝置停用中', strongerInForce: '更高優先順序的命令正在生效', approvalExpired: '核准逾期', approvalRefused: '未獲核准', expired: '裝置收到時已逾期', refused: '裝置拒絕執行' },
    closed: '接通', open: '斷開', verified: { confirmed: '回報相符', contradicted: '回報不符' },
  },
  'en-US': {
    title: 'Command results',
    columns: { code: 'Device code', name: 'Device name', state: 'Result', error: 'Remark', queued: 'Queued', sent: 'Sent', acknowledged: 'Answered', ended: 'Ended', proofAt: 'Reading at', level: 'Level read (%)', power: 'Power read (W)', relay: 'Relay', verification: 'Checked afterwards' },
    states: { waiting: 'Held back', queued: 'Queued', sent: 'Sent', acknowledged: 'Answered', confirmed: 'Confirmed', failed: 'Failed', timedOut: 'Timed out', expired: 'Expired unsent', superseded: 'Superseded', cancelled: 'Cancelled' },
    errors: { notSent: 'It could not be delivered', noAnswer: 'No answer in time', notConfirmed: 'Answered, but no reading agrees', disabled: 'The device is disabled', strongerInForce: 'A stronger command is in force', approvalExpired: 'Nobody approved in time', approvalRefused: 'Approval was refused', expired: 'Expired when it arrived', refused: 'The device refused' },
    closed: 'closed', open: 'open', verified: { confirmed: 'reading agrees', contradicted: 'reading disagrees' },
  },
  'fr-FR': {
    title: 'Résultats de la commande',
    columns: { code: 'Code de l’équipement', name: 'Nom de l’équipement', state: 'Résultat', error: 'Remarque', queued: 'Mise en file', sent: 'Envoi', acknowledged: 'Réponse', ended: 'Fin', proofAt: 'Relevé à', level: 'Niveau relevé (%)', power: 'Puissance relevée (W)', relay: 'Relais', verification: 'Vérification ultérieure' },
    states: { waiting: 'Retenue', queued: 'En file', sent: 'Envoyée', acknowledged: 'Répondue', confirmed: 'Confirmée', failed: 'Échouée', timedOut: 'Sans réponse à temps', expired: 'Expirée sans exécution', superseded: 'Remplacée', cancelled: 'Annulée' },
    errors: { notSent: 'N’a pas pu être transmise', noAnswer: 'Pas de réponse à temps', notConfirmed: 'Répondu, mais aucun relevé ne concorde', disabled: 'Équipement désactivé', strongerInForce: 'Une commande prioritaire est en vigueur', approvalExpired: 'Non approuvée à temps', approvalRefused: 'Approbation refusée', expired: 'Expirée à l’arrivée', refused: 'Refusée par l’équipement' },
    closed: 'fermé', open: 'ouvert', verified: { confirmed: 'relevé concordant', contradicted: 'relevé discordant' },
  },
  'ja-JP': {
    title: 'コマンド結果',
    columns: { code: '機器コード', name: '機器名', state: '実行結果', error: '備考', queued: '待機開始', sent: '送信時刻', acknowledged: '応答時刻', ended: '終了時刻', proofAt: '測定時刻', level: '測定レベル (%)', power: '測定電力 (W)', relay: 'リレー', verification: '事後確認' },
    states: { waiting: '保留中', queued: '送信待ち', sent: '送信済み', acknowledged: '応答済み', confirmed: '確認済み', failed: '失敗しました', timedOut: 'タイムアウト', expired: '期限切れ（未実行）', superseded: '新しいコマンドに置換', cancelled: '取り消し' },
    errors: { notSent: '機器に届きませんでした', noAnswer: '応答がありません', notConfirmed: '応答あり、測定値が一致しません', disabled: '機器が無効です', strongerInForce: '優先度の高いコマンドが有効です', approvalExpired: '期限内に承認されませんでした', approvalRefused: '承認が却下されました', expired: '到着時に期限切れ', refused: '機器が拒否しました' },
    closed: '閉', open: '開', verified: { confirmed: '測定値が一致', contradicted: '測定値が不一致' },
  },
  'ko-KR': {
    title: '명령 결과',
    columns: { code: '장치 코드', name: '장치 이름', state: '결과 상태', error: '비고', queued: '대기 시각', sent: '전송 시각', acknowledged: '응답 시각', ended: '종료 시각', proofAt: '측정 시각', level: '측정 밝기 (%)', power: '측정 전력 (W)', relay: '릴레이', verification: '사후 확인' },
    states: { waiting: '보류 중', queued: '전송 대기', sent: '전송됨', acknowledged: '응답함', confirmed: '확인됨', failed: '실패', timedOut: '시간 초과', expired: '만료(미실행)', superseded: '새 명령으로 대체', cancelled: '취소됨' },
    errors: { notSent: '장치에 전달되지 않음', noAnswer: '제시간에 응답 없음', notConfirmed: '응답했으나 측정값 불일치', disabled: '장치가 비활성 상태', strongerInForce: '우선순위가 높은 명령이 유효함', approvalExpired: '제시간에 승인되지 않음', approvalRefused: '승인이 거부됨', expired: '도착 시 만료됨', refused: '장치가 거부함' },
    closed: '닫힘', open: '열림', verified: { confirmed: '측정값 일치', contradicted: '측정값 불일치' },
  },
};
