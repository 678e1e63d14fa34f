<?php
// A webhook receiver in PHP 8.2 or later, without dependencies.
//
// WEBHOOK_SECRETS='whsec_… whsec_…' PORT=8080 php verify_webhook.php
//
// Behind your own web server only `receive` is yours: the body is file_get_contents('php://input'), before any
// framework has parsed it, and the header webhook-id is $_SERVER['HTTP_WEBHOOK_ID'].

declare(strict_types=1);

const MAX_BODY = 16 * 1024 * 1024;
const REASONS = [204 => 'No Content', 401 => 'Unauthorized', 413 => 'Content Too Large',
    422 => 'Unprocessable Content', 500 => 'Internal Server Error'];

define('SECRETS', preg_split('/\s+/', (string) getenv('WEBHOOK_SECRETS'), -1, PREG_SPLIT_NO_EMPTY));
define('TOLERANCE', (int) (getenv('WEBHOOK_TOLERANCE') ?: 300));

/** Whether the body, as received, was signed by the platform within the tolerance. */
function verify(array $headers, string $body, int $now): bool
{
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!preg_match('/^[0-9]{1,11}$/D', $timestamp) || abs($now - (int) $timestamp) > TOLERANCE) {
        return false;
    }
    $signed = ($headers['webhook-id'] ?? '') . ".$timestamp.$body";
    $expected = array_map(fn ($secret) => 'v1,' . base64_encode(mac($secret, $signed)), SECRETS);
    return anySame($expected, explode(' ', $headers['webhook-signature'] ?? ''));
}

/** The older header. Its `now` is the body's, and the same second as webhook-timestamp. */
function verifyXSignatureRequest(array $headers, string $body): bool
{
    $now = gmdate('Y-m-d\TH:i:s.000\Z', (int) $headers['webhook-timestamp']);
    $expected = array_map(fn ($secret) => 'v1=' . bin2hex(mac($secret, "$now.$body")), SECRETS);
    return anySame($expected, explode(',', $headers['x-signature-request'] ?? ''));
}

function mac(string $secret, string $signed): string
{
    return hash_hmac('sha256', $signed, base64_decode(substr($secret, strlen('whsec_'))), true);
}

function anySame(array $expected, array $given): bool
{
    foreach ($expected as $right) {
        foreach ($given as $each) {
            // hash_equals takes the same time wherever two differ; === does not.
            if (hash_equals($right, $each)) {
                return true;
            }
        }
    }
    return false;
}

/** Applies a message once; what it returns is told to the POS user as the reason of a refusal. */
function take(string $id, int $sequence, array $message): ?string
{
    // Yours are tables, written in the transaction that applies the message.
    static $seen = [];
    static $newest = [];
    if (isset($seen[$id])) {
        return null;
    }
    if (isset($message['external_id'])) {
        $stock = $message['current_stock'];
        if (str_starts_with($stock, '-')) {
            return 'The stock cannot be negative.';
        }
        $item = $message['store_id'] . '/' . $message['external_id'];
        // A retry may arrive after a newer update of the same item: older news is no news.
        if ($sequence > ($newest[$item] ?? -1)) {
            $newest[$item] = $sequence;
            echo "stock of $item is $stock\n";
        }
    }
    $seen[$id] = true;
    return null;
}

/** The status of the answer and, for a refusal, its message. */
function receive(array $headers, string $body): array
{
    // The first is enough, and an event has no other. The older one is here to show how.
    $hasOlder = isset($headers['x-signature-request']);
    if (!verify($headers, $body, time()) || ($hasOlder && !verifyXSignatureRequest($headers, $body))) {
        return [401];
    }
    $message = json_decode($body, true, 64, JSON_BIGINT_AS_STRING | JSON_THROW_ON_ERROR);
    $refusal = take($headers['webhook-id'], (int) $headers['webhook-sequence'], $message);
    return $refusal === null ? [204] : [422, $refusal];
}

/** One request of a connection, as HTTP/1.1 has it. Yours is read by the server that you have. */
function serve($socket): void
{
    stream_set_timeout($socket, 10);
    if (!fgets($socket, 8192)) {
        return;
    }
    $headers = [];
    while (($line = fgets($socket, 8192)) && $line !== "\r\n") {
        [$name, $value] = explode(':', $line, 2) + [1 => ''];
        $headers[strtolower($name)] = trim($value);
    }
    $length = (int) ($headers['content-length'] ?? 0);
    if ($length > MAX_BODY) {
        answer($socket, 413);
        return;
    }
    try {
        $body = $length > 0 ? (string) stream_get_contents($socket, $length) : '';
        answer($socket, ...receive($headers, $body));
    } catch (Throwable) {
        answer($socket, 500);
    }
}

function answer($socket, int $status, ?string $message = null): void
{
    $content = $message === null ? '' : json_encode(['message' => $message]);
    $head = "HTTP/1.1 $status " . REASONS[$status] . "\r\nConnection: close\r\n";
    // A 204 has neither content nor the length of one.
    if ($status !== 204) {
        $head .= "Content-Type: application/json\r\nContent-Length: " . strlen($content) . "\r\n";
    }
    fwrite($socket, "$head\r\n$content");
}

$server = stream_socket_server('tcp://127.0.0.1:' . (getenv('PORT') === false ? '8080' : getenv('PORT')));
echo 'listening on ', substr(strrchr(stream_socket_get_name($server, false), ':'), 1), "\n";
while (true) {
    if ($socket = @stream_socket_accept($server, -1)) {
        serve($socket);
        fclose($socket);
    }
}
