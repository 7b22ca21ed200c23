import { email } from '../../../nodes/CustomerMessaging/operations/email';
import { emailHints } from '../../../nodes/CustomerMessaging/report/contentHints';
import { VirtualClock } from '../../../simulation/virtualClock';

const links = '<a\nclass="x">,http://a.example,mailto:a,{link},[link],%link%,|link|'.split(',');

/** The beginnings of words, each in another language, or form. */
const words = [
	...['Unsubscribe', 'opt out', 'opt-out', 'Preferences', 'abmelden', 'abbestellen', 'austragen'],
	...['désabonner', 'désinscrire', 'desinscrever', 'darse de baja', 'cancelar'],
	...['desuscribirse', 'disiscriviti', 'annulla', 'descadastrar', 'uitschrijven', 'afmelden'],
	...['avmeld', 'avregistrera', 'avprenumerera', 'odhlásit', 'wypisz', 'rezygnuję'],
	...['leiratkozás', 'dezabonare', 'abonelikten', 'berhenti', 'hủy', 'отписаться', 'відписатися'],
	...['απεγγραφή', 'διαγραφή', 'إلغاء', 'הסר', 'सदस्यता', '退订', '退訂', '取消', '停止', '解除'],
	...['거부', '취소'],
];

test.each([
	...links.map((link) => `${link} unsubscribe`),
	...words.map((word) => `https://a.example ${word}`),
])('A broadcast has a link to unsubscribe: %j', async (content) => {
	const operation = email.operations.find(({ value }) => value === 'broadcastAll');
	if (!operation) throw new Error('No such operation');
	const hintsOf = async (content: string) => {
		const shared = { itemIndex: 0, path: '/', audience: 'everyone' };
		const delivery = { ...shared, buildBody: () => ({ content }) };
		return await emailHints(operation, [delivery], new VirtualClock(0));
	};
	expect(await hintsOf(content)).toEqual([]);
	expect(await hintsOf('https://a.example')).toHaveLength(1);
});
