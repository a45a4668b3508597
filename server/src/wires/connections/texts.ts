import type { Language } from '../../../../catalogue/languages.ts';
import type { connectionKinds } from '../../../../contract/episodes.ts';
import type { ConnectionReason } from './outages.ts';

interface Texts {
  readonly title: string;
  readonly columns: Readonly<Record<'code' | 'name' | 'family' | 'area' | 'road' | 'kind' | 'reason' | 'began' | 'ended' | 'seconds' | 'times' | 'via' | 'address', string>>;
  readonly kinds: Readonly<Record<(typeof connectionKinds)[number], string>>;
  readonly reasons: Readonly<Record<ConnectionReason, string>>;
}

/** Words of the workbook in the six languages; families have theirs in the catalogue. */
export const connectionTexts: Readonly<Record<Language, Texts>> = {
  'zh-CN': {
    title: '连接日志',
    columns: { code: '编号', name: '名称', family: '设备类型', area: '项目', road: '道路', kind: '类别', reason: '原因', began: '开始', ended: '结束', seconds: '时长 (秒)', times: '次数', via: '所属网关或集控', address: '来源地址' },
    kinds: { offline: '离线', link: '链路中断', refused: '拒绝接入', unpowered: '计划断电' },
    reasons: {
      silent: '未按时上报', neverHeard: '登记后从未上报', gatewayLost: '所属网关或集控离线', serverAway: '服务中断后未恢复上报', network: '网络断开', keepAlive: '心跳超时', signedOff: '设备主动断开',
      lastWill: '遗嘱消息：连接丢失', revoked: '凭据已更换或收回', foreignTopic: '发布主题不属于该设备，被断开', packetTooLarge: '报文超过 1 MiB，被断开', takenOver: '会话被同名连接顶替', wrongPassword: '密码错误', wrongClientId: '客户端标识不符', foreignWill: '遗嘱主题不属于该设备', plan: '按计划断电', contactor: '接触器分闸',
    },
  },
  'zh-TW': {
    title: '連線紀錄',
    columns: { code: '編號', name: '名稱', family: '設備類型', area: '專案', road: '道路', kind: '類別', reason: '原因', began: '起始', ended: '終止', seconds: '時長 (秒)', times: '次數', via: '所屬閘道器或集控', address: '來源位址' },
    kinds: { offline: '離線', link: '鏈路中斷', refused: '拒絕連入', unpowered: '計畫停電' },
    reasons: {
      silent: '未準時回報', neverHeard: '登錄後從未回報', gatewayLost: '所屬閘道器或集控離線', serverAway: '服務中斷後未恢復回報', network: '網路中斷', keepAlive: '心跳逾時', signedOff: '裝置主動中斷',
      lastWill: '遺囑訊息：連線遺失', revoked: '憑證已更換或收回', foreignTopic: '發布主題不屬於該裝置，遭中斷', packetTooLarge: '封包超過 1 MiB，遭中斷', takenOver: '工作階段被同名連線取代', wrongPassword: '密碼不正確', wrongClientId: '用戶端識別碼不符', foreignWill: '遺囑主題不屬於該裝置', plan: '依計畫停電', contactor: '接觸器開啟',
    },
  },
  'en-US': {
    title: 'Connection log',
    columns: { code: 'Code', name: 'Name', family: 'Device type', area: 'Project', road: 'Road', kind: 'Kind', reason: 'Reason', began: 'Began', ended: 'Ended', seconds: 'Duration (s)', times: 'Times', via: 'Gateway or controller', address: 'Address' },
    kinds: { offline: 'Offline', link: 'Link interrupted', refused: 'Refused', unpowered: 'Planned power-off' },
    reasons: {
      silent: 'No report in time', neverHeard: 'Never reported since registered', gatewayLost: 'Its gateway or controller is offline', serverAway: 'Not heard again after the server was away', network: 'Network lost', keepAlive: 'Keep-alive timeout', signedOff: 'Disconnected by the device',
      lastWill: 'Last will: connection lost', revoked: 'Credentials changed or revoked', foreignTopic: 'Disconnected: published to a topic not its own', packetTooLarge: 'Disconnected: a packet of more than 1 MiB', takenOver: 'Session taken over by another connection', wrongPassword: 'Wrong password', wrongClientId: 'Wrong client id', foreignWill: 'Last will on a foreign topic', plan: 'Without power by plan', contactor: 'Contactor open',
    },
  },
  'fr-FR': {
    title: 'Journal des connexions',
    columns: { code: 'Code', name: 'Nom', family: 'Type d’équipement', area: 'Projet', road: 'Voie', kind: 'Nature', reason: 'Cause', began: 'Début', ended: 'Fin', seconds: 'Durée (s)', times: 'Fois', via: 'Passerelle ou contrôleur', address: 'Adresse' },
    kinds: { offline: 'Hors ligne', link: 'Liaison interrompue', refused: 'Accès refusé', unpowered: 'Coupure planifiée' },
    reasons: {
      silent: 'Pas de relevé à temps', neverHeard: 'Jamais entendu depuis l’enregistrement', gatewayLost: 'Sa passerelle ou son contrôleur est hors ligne', serverAway: 'Plus entendu après l’arrêt du serveur', network: 'Réseau perdu', keepAlive: 'Délai de maintien dépassé', signedOff: 'Déconnecté par l’équipement',
      lastWill: 'Dernière volonté : connexion perdue', revoked: 'Identifiants changés ou retirés', foreignTopic: 'Déconnecté : publication sur un sujet qui n’est pas le sien', packetTooLarge: 'Déconnecté : paquet de plus de 1 Mio', takenOver: 'Session reprise par une autre connexion', wrongPassword: 'Mot de passe erroné', wrongClientId: 'Identifiant client erroné', foreignWill: 'Dernière volonté sur un sujet étranger', plan: 'Sans courant selon le plan', contactor: 'Contacteur ouvert',
    },
  },
  'ja-JP': {
    title: '接続ログ',
    columns: { code: 'コード', name: '名称', family: '機器の種類', area: 'プロジェクト', road: '道路', kind: '区分', reason: '理由', began: '開始', ended: '終了', seconds: '時間 (秒)', times: '回数', via: 'ゲートウェイまたは制御盤', address: '接続元' },
    kinds: { offline: 'オフライン', link: '回線の瞬断', refused: '接続拒否', unpowered: '計画停電' },
    reasons: {
      silent: '期限内に報告なし', neverHeard: '登録後に報告なし', gatewayLost: '上位のゲートウェイまたは制御盤がオフライン', serverAway: 'サーバー停止後に報告なし', network: 'ネットワーク切断', keepAlive: 'キープアライブ時間切れ', signedOff: '機器側から切断',
      lastWill: '遺言メッセージ：接続喪失', revoked: '認証情報の変更または失効', foreignTopic: '自分のものでないトピックに発行したため切断', packetTooLarge: '1 MiB を超えるパケットのため切断', takenOver: '同名の接続がセッションを引き継ぎ', wrongPassword: 'パスワード不一致', wrongClientId: 'クライアント ID 不一致', foreignWill: '他の機器の遺言トピック', plan: '計画により無電源', contactor: '電磁接触器が開',
    },
  },
  'ko-KR': {
    title: '연결 기록',
    columns: { code: '코드', name: '이름', family: '장치 유형', area: '프로젝트', road: '도로', kind: '구분', reason: '원인', began: '시작', ended: '종료', seconds: '시간(초)', times: '횟수', via: '게이트웨이 또는 제어기', address: '접속 주소' },
    kinds: { offline: '오프라인', link: '링크 끊김', refused: '접속 거부', unpowered: '계획 정전' },
    reasons: {
      silent: '제때 보고 없음', neverHeard: '등록 후 보고 없음', gatewayLost: '상위 게이트웨이 또는 제어기 오프라인', serverAway: '서버 중단 후 보고 없음', network: '네트워크 끊김', keepAlive: '연결 유지 시간 초과', signedOff: '장치가 연결 종료',
      lastWill: '유언 메시지: 연결 상실', revoked: '자격 증명 변경 또는 회수', foreignTopic: '다른 장치의 토픽에 발행하여 연결 해제', packetTooLarge: '1 MiB를 넘는 패킷으로 연결 해제', takenOver: '같은 이름의 연결이 세션 인수', wrongPassword: '비밀번호 불일치', wrongClientId: '클라이언트 ID 불일치', foreignWill: '다른 장치의 유언 토픽', plan: '계획에 따른 전원 없음', contactor: '접촉기 개방',
    },
  },
};
