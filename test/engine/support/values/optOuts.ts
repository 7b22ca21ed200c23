/** Consent as stored, whose column says who left. */
export const optOuts: readonly string[] = [
	...['$json.HasOptedOutOfEmail', '$json.EMAIL_BLACKLISTED', '$json.hs_email_optout'],
	...['$json.unsubscribed', '$json["Unsubscribed from email"]', "$json['opt-out']"],
	...['$json["Opt out"]', '$json.OPT_OUT', '$json.optOut', '$json.isUnsubscribed'],
	...['$json.emailunsubscribed', '$json.smsBlacklisted', '$json.blackListed'],
	...['$json.suppressed', '$json.email_suppression', '$json.DoNotContact', '$json.doNotCall'],
	...['$json.do_not_email', '$json["do not mail"]', '$json.donotbulkemail', '$json.DNC'],
	...['$json.do_not_text', '$json["Do-Not-SMS"]', '$json.dnd', '$json.bounced'],
	...['$json.hard_bounce', '$json.properties.hs_email_optout', '$json.body.unsubscribed'],
	...["$('Contacts').item.json.opted_out", '$input.item.json.optedOut'],
	...['$json.unsubscribed.email', '$json.contacts[0].opted_out', '$json.consent_opt_out'],
	...['$json.opted_out_of_consent', '$json.unsubscribed_at', '$json.unsub'],
	...['$json.unsubscribed ?? false', "$json.unsubscribed || ''"],
	...['$json.agreed ?? $json.opted_out', '($json.unsubscribed)'],
	...['$json.unsubscribed.toString()', '$json?.unsubscribed', '$json.consentWithdrawn'],
];

/** Consent that says who agreed, or that is decided by more than a column. */
export const consents: readonly string[] = [
	...['$json.newsletter', '$json.opt_in', '$json.optedIn', '$json.subscribed'],
	...['$json["Agreed to email"]', '$json.not_unsubscribed', '$json.isNotBlacklisted'],
	...['$json.no_opt_out', '$json.neverBounced', '$json.not_do_not_call'],
	...['$json.opt_out_consent', '$json.opt_in_out', '$json.unsubscribed.consent'],
	...['!$json.unsubscribed', '$json.unsubscribed === false', "$json.opted_out === 'no'"],
	...['$json.unsubscribed ? "no" : "yes"', '$json.unsubscribed.isEmpty()'],
	...['$json.marketing.email', '$json.notes'],
];
