<?php
$key = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$signed = $id . '.' . ($_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '') . '.' . file_get_contents('php://input');
$signature = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
header('content-type: application/json');
if (!in_array($signature, explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? ''), true)) {
    http_response_code(401);
    echo '{"message":"Bad signature."}';
    return;
}
// Each request starts anew, so what was seen is in files.
if (@fopen(getenv('SEEN') . '/' . $id, 'x')) {
    file_put_contents('php://stdout', "applied $id\n");
}
http_response_code(204);
echo '{"detail":"ok"}';
